// Games over a bad network, by the packed SDK alone. The stage (.ci/sdk/stage) says in the environment where, and judges.

import io.github.fourinarow.Connection
import io.github.fourinarow.FileTokens
import io.github.fourinarow.FourInARow
import io.github.fourinarow.MemoryTokens
import io.github.fourinarow.MoveResult
import io.github.fourinarow.ProblemException
import io.github.fourinarow.models.CpuLevelChoice
import io.github.fourinarow.models.EditHouseRuleRequest
import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import io.github.fourinarow.models.OnTimeoutChoice
import io.github.fourinarow.models.OpenTableRequest
import io.github.fourinarow.models.OpponentChoice
import io.github.fourinarow.models.PlayMoveRequest
import io.github.fourinarow.models.PresenceChoice
import io.github.fourinarow.models.Side
import io.github.fourinarow.models.TableSettings
import io.github.fourinarow.models.VisibilityChoice
import java.net.HttpURLConnection
import java.net.URL
import java.nio.file.Files
import java.util.Collections
import java.util.UUID
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

val url: String = System.getenv("FOUR_URL")
val tokens = FileTokens(Files.createTempDirectory("play").resolve("tokens.json"))

fun player(name: String, base: String = url) = FourInARow(base, tokens, name)

suspend fun guest(name: String, base: String = url) = player(name, base).also { it.signIn(name) }

suspend fun stage(path: String): String = withContext(Dispatchers.IO) {
    val asked = URL(System.getenv("FOUR_STAGE") + path).openConnection() as HttpURLConnection
    asked.requestMethod = "POST"
    asked.inputStream.reader().readText()
}

/** The table of a game between two guests, the first of whom begins. */
suspend fun seated(first: FourInARow, second: FourInARow, settings: TableSettings? = null): GameTable {
    val opened = first.tables.open(OpenTableRequest(visibility = VisibilityChoice.`private`, settings = settings))
    return second.tables.joinByInvitation(opened.inviteCode!!)
}

suspend fun problem(code: String, status: Int?, action: suspend () -> Any?): ProblemException {
    val problem = try {
        (action() as MoveResult.Refused).problem
    } catch (thrown: ProblemException) {
        thrown
    }
    check(problem.code == code && problem.status == status) { problem }
    return problem
}

/** What to play in the two games of the series, and what happens before some plies of the first. */
val scripts = listOf("1111112222223333334", "1212121")

/** Plays one's own side of both games, agrees to the second after the first, and leaves after it. */
suspend fun series(four: FourInARow, table: GameTable, before: Map<Int, suspend () -> Unit>): List<Connection> {
    val said = Collections.synchronizedList(mutableListOf<Connection>())
    val told = Collections.synchronizedSet(mutableSetOf<String>())
    val ends = mutableListOf<Game>()
    coroutineScope {
        four.follow(table, onConnection = { said += it }, onTable = { told += it.status }).collect { game ->
            if (game.canMove) {
                before[game.ply + 1].takeIf { game.number == 1 }?.let { launch { it() } }
                if (game.number == 2 && game.ply == 0) {
                    check(four.hint(game.id).bestColumns.isNotEmpty())
                }
                val result = four.move(game, scripts[game.number - 1][game.ply].digitToInt())
                check(result is MoveResult.Played) { (result as MoveResult.Refused).problem }
            }
            if (game.result != null) {
                ends += game
                if (game.number == 1) four.tables.rematch(game) else four.tables.leave(game.tableId)
            }
        }
    }
    check(ends.map { it.moves } == scripts && ends.all { it.result?.winner == Side.red }) { ends }
    check(told.containsAll(setOf("playing", "closed"))) { told }
    return said
}

suspend fun mainGames() = coroutineScope {
    val ola = guest("Ola")
    val ivan = guest("Иван")
    val table = seated(ola, ivan)
    val troubles = mapOf<Int, suspend () -> Unit>(7 to { stage("/restart") }, 13 to { stage("/offline?ms=3000") })
    val other = launch { series(ivan, table, emptyMap()) }
    val said = series(ola, table, troubles)
    check(said.contains(Connection.LOST) && said.last() == Connection.BACK) { said }

    val me = ola.me()
    val games = ola.pages { cursor ->
        profiles.listProfileGames(me.id, limit = 1, cursor = cursor).let { FourInARow.Page(it.items, it.nextCursor) }
    }.toList()
    check(games.map { it.gameId } == ola.history().toList().map { it.gameId } && games.size == 2) { games }
    check("<svg" in ola.picture(games.last().gameId, ply = 3))

    val phone = player("phone")
    while (true) { // a code works once, also when the answer gets lost
        try {
            check(phone.devices.use(ola.devices.code().code).id == me.id)
            break
        } catch (problem: ProblemException) {
            check(problem.temporary) { problem }
        }
    }
    check(player("Ola").signIn().id == me.id && player("phone").signIn().id == me.id)

    other.join()
    ivan.deleteMe()
    problem("unauthenticated", 401) { ivan.me() }
}

suspend fun awayPhone() {
    val rosa = guest("Rosa")
    val tom = guest("Tom")
    val table = seated(rosa, tom)
    val game = rosa.follow(table).first()
    rosa.move(game, 4)
    tom.tables.presence(table.id, PresenceChoice.away)
    rosa.follow(table).first { it.movers == "hc" } // the CPU plays for Tom
    val again = player("Tom")
    again.signIn()
    again.tables.presence(table.id, PresenceChoice.here)
    check(rosa.move(rosa.game(game.id), 4) is MoveResult.Played)
    val turn = again.follow(table).first { it.canMove }
    check(again.move(turn, turn.legalColumns.first()) is MoveResult.Played)
    check(again.resign(game.id).result?.winner == Side.red)
}

suspend fun lostClock() {
    val ada = guest("Ada")
    val bob = guest("Bob")
    val table = seated(ada, bob, TableSettings(moveTimeLimitSeconds = 30, onTimeout = OnTimeoutChoice.loss))
    coroutineScope {
        launch { bob.follow(bob.move(bob.follow(table).first { it.canMove }, 4).game).last() }
        ada.move(ada.follow(table).first { it.canMove }, 4)
        val late = ada.follow(table).first { it.ply == 2 }
        val left = ada.remaining(late, Side.red)!!
        check(left in 1..30_000 && ada.remaining(late, Side.yellow) == null) { left }
        val end = ada.follow(late).last()
        check(end.result?.winner == Side.yellow && ada.remaining(end, Side.red) == null) { end }
        problem("game_finished", 409) { ada.move(late, 4) }
    }
}

suspend fun problems() {
    val red = guest("Red")
    val yellow = guest("Yellow")
    val table = red.tables.open(OpenTableRequest(visibility = VisibilityChoice.`public`))
    yellow.tables.join(table.id)
    val empty = red.follow(table).first()
    problem("invalid_request", 400) { red.call { games.playMove(empty.id, PlayMoveRequest(9, 1)) } }
    problem("not_seated", 403) { guest("Eve").move(empty, 1) }
    problem("not_found", 404) { red.game(UUID.randomUUID()) }
    var game = empty
    for (ply in 1..6) {
        game = (if (ply % 2 == 1) red else yellow).move(game, 1).game
    }
    check(problem("stale_ply", 409) { red.move(empty, 2) }.game?.moves == "111111")
    check(problem("column_full", 422) { red.move(game, 1) }.game?.ply == 6)
    val unknown = MemoryTokens().apply { set(url, "fir_" + "x".repeat(43)) }
    problem("unauthenticated", 401) { FourInARow(url, unknown).signIn() }
    while (true) { // the first one may have got lost
        val refused = try {
            yellow.call(repeatMs = 0) { me.exportMe() }
            null
        } catch (problem: ProblemException) {
            problem
        }
        if (refused?.code == "rate_limited") {
            check(refused.status == 429 && refused.retryAfterMs!! > 0) { refused }
            break
        }
        check(refused == null || refused.temporary) { refused!! }
    }
}

suspend fun quickMatch() = coroutineScope {
    repeat(2) { i ->
        launch {
            val four = guest("Quick $i")
            val game = four.follow(four.quickMatch()).first()
            if (game.mySide == Side.red) four.resign(game.id) else check(four.follow(game).last().result?.winner == Side.yellow)
        }
    }
}

suspend fun admin() {
    val token = Regex(""""token":"([^"]+)"""").find(stage("/admin-token"))!!.groupValues[1]
    val four = FourInARow(url, MemoryTokens().apply { set(url, token) })
    val rule = four.call { admin.getHouseRule("end_dead_positions") }
    fun edit(reason: String) = EditHouseRuleRequest(rule.default, rule.options, !rule.changeable, reason)
    val version = "\"${rule.version}\""
    val edited = four.call { admin.editHouseRule(rule.key, edit("Games shall end."), ifMatch = version) }
    check(edited.after.version == rule.version + 1) { edited }
    val stale = problem("precondition_failed", 412) {
        four.call { admin.editHouseRule(rule.key, edit("Another reason."), ifMatch = version) }
    }
    check(stale.problem?.houseRule?.version == rule.version + 1) { stale }
}

/** With fields, codes and values that this SDK doesn't know. */
suspend fun later() {
    val four = guest("Nova", System.getenv("FOUR_LATER_URL"))
    val table = four.tables.open(OpenTableRequest(opponent = OpponentChoice.cpu, cpuLevel = CpuLevelChoice.easy))
    val states = mutableListOf<Game>()
    four.follow(table).first { game ->
        states += game
        if (game.canMove) {
            check(four.move(game, game.legalColumns.last()) is MoveResult.Played)
        }
        game.ply >= 6 || game.result != null
    }
    problem("of_tomorrow", 409) { four.move(states.first(), 1) }
    problem("connection_failed", 502) { four.call(repeatMs = 0) { service.getService() } }
}

fun main() {
    runBlocking(Dispatchers.Default) {
        for (part in listOf(::mainGames, ::awayPhone, ::lostClock, ::problems, ::quickMatch, ::admin, ::later)) {
            launch { part() }
        }
    }
    println("""{"language":"kotlin","generator":"${System.getenv("GENERATOR")}","operations":${System.getenv("OPERATIONS")}}""")
}
