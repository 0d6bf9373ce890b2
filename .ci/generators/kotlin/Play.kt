// A game through the client of openapi-generator (kotlin, jvm-okhttp4 with kotlinx_serialization).

import fourinarow.apis.GamesApi
import fourinarow.apis.InsightsApi
import fourinarow.apis.InvitesApi
import fourinarow.apis.MeApi
import fourinarow.apis.ProfilesApi
import fourinarow.apis.SeatsApi
import fourinarow.apis.ServiceApi
import fourinarow.apis.TablesApi
import fourinarow.infrastructure.ClientError
import fourinarow.infrastructure.ClientException
import fourinarow.infrastructure.Serializer
import fourinarow.infrastructure.ServerException
import fourinarow.infrastructure.Success
import fourinarow.models.Game
import fourinarow.models.OpenProfileRequest
import fourinarow.models.OpenTableRequest
import fourinarow.models.PlayMoveRequest
import fourinarow.models.Problem
import fourinarow.models.Side
import fourinarow.models.TakeSeatRequest
import fourinarow.models.VisibilityChoice
import java.util.UUID
import java.util.concurrent.TimeUnit
import okhttp3.OkHttpClient

class Player(url: String, token: String? = null) {
    private val client = OkHttpClient.Builder()
        .readTimeout(40, TimeUnit.SECONDS) // longer than the longest wait
        .addInterceptor { chain ->
            val request = chain.request().newBuilder()
            token?.let { request.header("Authorization", "Bearer $it") }
            chain.proceed(request.build())
        }
        .build()
    val profiles = ProfilesApi(url, client)
    val me = MeApi(url, client)
    val tables = TablesApi(url, client)
    val invites = InvitesApi(url, client)
    val seats = SeatsApi(url, client)
    val games = GamesApi(url, client)
    val insights = InsightsApi(url, client)
    val service = ServiceApi(url, client)

    fun move(game: UUID, column: Int, ply: Int): Game = games.playMove(game, PlayMoveRequest(column, ply))
}

// The generator leaves the body of a refusal as text.
fun problem(status: Int, call: () -> Any?): Problem {
    val refusal = try {
        throw AssertionError("not refused: ${call()}")
    } catch (e: ClientException) {
        e
    }
    check(refusal.statusCode == status) { refusal }
    val body = (refusal.response as ClientError<*>).body as String
    return Serializer.kotlinxSerializationJson.decodeFromString<Problem>(body).also { check(it.status == status) { it } }
}

fun plain(url: String) {
    val guest = Player(url)
    val red = Player(url, guest.profiles.openProfile(openProfileRequest = OpenProfileRequest()).token)
    val opened = guest.profiles.openProfile(openProfileRequest = OpenProfileRequest(displayName = "Ola"))
    val yellow = Player(url, opened.token)

    val table = red.tables.openTable(openTableRequest = OpenTableRequest(visibility = VisibilityChoice.`private`))
    val code = table.inviteCode!!
    check(yellow.invites.getInvite(code).id == table.id)
    val id = yellow.seats.takeSeat(table.id, takeSeatRequest = TakeSeatRequest(inviteCode = code)).currentGameId!!

    check(red.move(id, 1, 1).ply == 1)
    check(red.move(id, 1, 1).ply == 1)
    val stale = problem(409) { yellow.move(id, 3, 1) }
    check(stale.code == "stale_ply" && stale.game?.ply == 1) { stale }
    for (ply in 2..6) {
        check((if (ply % 2 == 1) red else yellow).move(id, 1, ply).moves == "1".repeat(ply))
    }
    check(problem(422) { red.move(id, 1, 7) }.code == "column_full")
    check(problem(400) { red.move(id, 9, 7) }.errors?.first()?.pointer == "/column")

    val polled = red.games.getGameWithHttpInfo(id, afterVersion = 1, wait = 25, ifNoneMatch = null) as Success<Game?>
    check(red.games.getGame(id, afterVersion = polled.data!!.version, wait = 1).ply == 6)
    val tag = polled.headers.entries.first { it.key.equals("ETag", ignoreCase = true) }.value.first()
    check(red.games.getGameWithHttpInfo(id, afterVersion = null, wait = null, ifNoneMatch = tag).statusCode == 304)

    for ((i, column) in listOf(2, 7, 3, 7, 4).withIndex()) {
        (if (i % 2 == 0) red else yellow).move(id, column, 7 + i)
    }
    val over = yellow.games.getGame(id)
    check(over.status == "finished" && over.result?.winner == Side.red) { over }

    check("<svg" in yellow.games.getPicture(id).readText())
    check(yellow.profiles.listProfileGames(opened.profile.id).items.first().gameId == id)
    check(red.service.listProblems().items.any { it.code == "stale_ply" })
    check(problem(401) { Player(url, "fir_wrong").me.getMe() }.code == "unauthenticated")
    check(yellow.seats.leaveSeatWithHttpInfo(table.id).statusCode == 204)
}

fun strange(url: String) {
    val guest = Player(url)
    val red = Player(url, guest.profiles.openProfile(openProfileRequest = OpenProfileRequest()).token)
    val opened = guest.profiles.openProfile()
    val yellow = Player(url, opened.token)
    val table = red.tables.openTable(openTableRequest = OpenTableRequest())
    val id = yellow.seats.takeSeat(table.id, takeSeatRequest = TakeSeatRequest(inviteCode = table.inviteCode)).currentGameId!!
    red.move(id, 4, 1)
    check(problem(409) { yellow.move(id, 3, 1) }.game?.ply == 1)
    check(red.games.getGame(id).id == id)
    yellow.games.resignGame(id)
    check(red.insights.getAnalysis(id).plies.size == 1)
    yellow.profiles.listProfileGames(opened.profile.id)
    red.service.listProblems()
    problem(401) { Player(url, "fir_wrong").me.getMe() }
    check(red.seats.leaveSeatWithHttpInfo(table.id).statusCode == 204)
    check(yellow.tables.getTable(table.id).id == table.id)

    try {
        throw AssertionError("a gateway's 502 passed for an answer: ${red.service.getService()}")
    } catch (e: ServerException) {
        check(e.statusCode == 502) { e }
    }
}

fun main() {
    plain(System.getenv("PLAIN_URL"))
    strange(System.getenv("STRANGE_URL"))
}
