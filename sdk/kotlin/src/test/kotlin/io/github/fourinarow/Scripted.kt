package io.github.fourinarow

import java.util.UUID
import java.util.concurrent.LinkedBlockingQueue
import java.util.logging.Level
import java.util.logging.Logger
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.runBlocking
import okhttp3.mockwebserver.Dispatcher
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.MockWebServer
import okhttp3.mockwebserver.RecordedRequest
import okhttp3.mockwebserver.SocketPolicy

const val TABLE = "01990c2d-7a10-7d4f-8a2c-6b7c8d9e0f12"
const val GAME = "01990c2e-7a10-7d4f-8a2c-6b7c8d9e0f12"
const val NEXT_GAME = "01990c2f-7a10-7d4f-8a2c-6b7c8d9e0f12"
val game: UUID = UUID.fromString(GAME)
val table: UUID = UUID.fromString(TABLE)

/** A test that returns nothing, since JUnit passes over those that do. */
fun blocking(test: suspend CoroutineScope.() -> Unit): Unit = runBlocking { test() }

/** A server that gives one answer after the other, and notes what it was asked. */
class Scripted(vararg answers: MockResponse, private val route: ((RecordedRequest) -> MockResponse?)? = null) : AutoCloseable {
    private val answers = LinkedBlockingQueue(answers.toList())
    private val server = MockWebServer()
    val asked = LinkedBlockingQueue<RecordedRequest>()

    init {
        Logger.getLogger(MockWebServer::class.java.name).level = Level.OFF
        server.dispatcher = object : Dispatcher() {
            override fun dispatch(request: RecordedRequest): MockResponse {
                asked.add(request)
                return route?.invoke(request) ?: this@Scripted.answers.poll() ?: held()
            }
        }
        server.start()
    }

    val url: String = server.url("/").toString()
    val paths: List<String> get() = asked.map { "${it.method} ${it.path}" }
    val bodies: List<String> get() = asked.map { it.body.clone().readUtf8() }

    override fun close() = server.shutdown()
}

fun json(body: String, status: Int = 200): MockResponse =
    MockResponse().setResponseCode(status).setHeader("Content-Type", "application/json").setBody(body)

/** An answer that never comes. */
fun held(): MockResponse = MockResponse().setSocketPolicy(SocketPolicy.NO_RESPONSE)

fun html(status: Int): MockResponse =
    MockResponse().setResponseCode(status).setHeader("Content-Type", "text/html").setBody("<html><body>$status</body></html>")

/** The service acts, and its answer gets lost. */
fun lost(): MockResponse = MockResponse().setSocketPolicy(SocketPolicy.DISCONNECT_AFTER_REQUEST)

fun problem(status: Int, code: String, more: String = "", instance: String = "/v1"): MockResponse = json(
    """{"type":"/docs#$code","title":"No","status":$status,"detail":"Not so","instance":"$instance","code":"$code",
        "request_id":"r1"$more}""",
    status,
).setHeader("Content-Type", "application/problem+json")

private const val SETTINGS = """{"alternate_first_move":true,"first_player":"seat_order","move_time_limit_seconds":30,
    "end_dead_positions":true,"on_timeout":"cpu_move","cpu_cover":true,"cover_grace_seconds":30,"cover_level":"medium"}"""

private fun side(seat: Int) = """{"seat":$seat,"kind":"human","display_name":"Ola","rating":1500,"wants_rematch":false}"""

/** A game, as the service writes it, in which this many columns were played. */
fun gameOf(version: Int, moves: String = "", over: Boolean = false, id: String = GAME, more: String = ""): String {
    val end = if (over) {
        ""","finished_at":"2026-09-22T10:05:00Z","result":{"outcome":"win","winner":"red","ended_by":"line","fields":[]}"""
    } else {
        ""","turn":"${if (moves.length % 2 == 0) "red" else "yellow"}","remaining_ms":21000"""
    }
    return """{"id":"$id","table_id":"$TABLE","number":1,"version":$version,"status":"${if (over) "finished" else "in_progress"}",
        "ranked":false,"unattended":false,"settings":$SETTINGS,"red":${side(1)},"yellow":${side(2)},"moves":"$moves",
        "movers":"${"h".repeat(moves.length)}","ply":${moves.length},"legal_columns":[1,2,3,4,5,6,7],
        "board":[".......",".......",".......",".......",".......","......."],"threats":{"red":[],"yellow":[]},
        "can_move":${!over},"asleep":false,"server_time_ms":1790071208966,"started_at":"2026-09-22T10:00:00Z",
        "poll_after_ms":1$end$more}"""
}

/** A table, as the service writes it. */
fun tableOf(version: Int, status: String, current: String? = null, currentVersion: Int = 1, more: String = ""): String {
    val game = current?.let {
        ""","current_game":{"id":"$it","number":1,"status":"in_progress","ply":0,"version":$currentVersion},
            "current_game_id":"$it" """
    }
    val poll = if (status == "closed") "" else ""","poll_after_ms":1"""
    return """{"id":"$TABLE","version":$version,"status":"$status","visibility":"private","settings":$SETTINGS,
        "settings_version":1,"ranked":false,"seats":[{"seat":1,"state":"taken"},{"seat":2,"state":"free"}],
        "score":{"games":0,"seat_1_wins":0,"seat_2_wins":0,"draws":0},
        "created_at":"2026-09-22T10:00:00Z"${game ?: ""}$poll$more}"""
}

const val PROFILE = """{"id":"01990c2b-1f4e-7a52-8c1d-5e6f7a8b9c0d","kind":"human","display_name":"Ola",
    "created_at":"2026-09-22T09:55:03Z","rating":1500,"rated_games":0,
    "record":{"people":{"games":0,"wins":0,"losses":0,"draws":0},
    "ranked":{"games":0,"wins":0,"losses":0,"draws":0},"cpu":{"games":0,"wins":0,"losses":0,"draws":0}},
    "streak":{"current":0,"longest":0}}"""

fun opened(token: String): MockResponse = json("""{"profile":$PROFILE,"token":"$token"}""", 201)

fun client(url: String, tokens: TokenStore = MemoryTokens(), repeatMs: Long = 20_000, requestMs: Long = 20_000) =
    FourInARow(url, tokens, timeouts = Timeouts(requestMs, repeatMs = repeatMs))
