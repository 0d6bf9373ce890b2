package io.github.fourinarow

import java.net.ServerSocket
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIs
import kotlin.test.assertNotNull
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlinx.coroutines.runBlocking
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.SocketPolicy

class BadInputTest {
    private fun refused(action: suspend () -> Unit): ProblemException = assertFailsWith { runBlocking { action() } }

    @Test
    fun `a base URL that is none is not the service`() {
        for (url in listOf("", "four.example", "ftp://four.example")) {
            assertEquals("not_the_service", refused { client(url) }.code, url)
        }
    }

    @Test
    fun `a base URL with too much of a path is not the service, and its problem says why`() {
        Scripted(problem(404, "not_found", instance = "")).use { server ->
            val problem = refused { client(server.url + "v1/").signIn() }
            assertEquals("not_the_service", problem.code)
            assertTrue("before /v1" in problem.detail!!, problem.detail)
            assertEquals(listOf("POST /v1/v1/profiles"), server.paths)
        }
    }

    @Test
    fun `whoever sends elsewhere is not the service, and its problem says where it sends`() {
        Scripted(MockResponse().setResponseCode(301).setHeader("Location", "https://four.example/")).use { server ->
            val problem = refused { client(server.url).signIn() }
            assertEquals("not_the_service", problem.code)
            assertTrue("https://four.example/" in problem.detail!!, problem.detail)
        }
    }

    @Test
    fun `another service is not the service, whatever it answers`() {
        val hello = json("""{"hello":"world"}""")
        val others = listOf(html(200), html(404), hello, json("[]"), json(""), json("no JSON"), json("{}", 401))
        for (other in others) {
            Scripted(other).use { server ->
                assertEquals("not_the_service", refused { client(server.url).signIn() }.code, other.toString())
                assertEquals(1, server.asked.size)
            }
        }
    }

    @Test
    fun `a revoked token is unauthenticated, and never silently a new player`() {
        Scripted(opened("fir_1"), problem(401, "unauthenticated")).use { server ->
            val tokens = MemoryTokens()
            runBlocking { client(server.url, tokens).signIn() }
            val problem = refused { client(server.url, tokens).signIn() }
            assertEquals("unauthenticated", problem.code)
            assertEquals(401, problem.status)
            assertEquals("r1", problem.requestId)
            assertEquals("fir_1", tokens.get(server.url.trimEnd('/')))
        }
    }

    @Test
    fun `a revoked token is replaced where the app says so`() {
        Scripted(opened("fir_1"), problem(401, "unauthenticated"), opened("fir_2")).use { server ->
            val tokens = MemoryTokens()
            runBlocking {
                client(server.url, tokens).signIn()
                client(server.url, tokens).signIn(replaceRevoked = true)
            }
            assertEquals("fir_2", tokens.get(server.url.trimEnd('/')))
            assertEquals(listOf("POST /v1/profiles", "GET /v1/me", "POST /v1/profiles"), server.paths)
        }
    }

    @Test
    fun `a move in a full column is refused, with the game as it is now`() = blocking {
        val full = problem(422, "column_full", ""","game":${gameOf(8, "111111")}""")
        Scripted(json(gameOf(8, "111111")), full).use { server ->
            val four = client(server.url)
            val refused = assertIs<MoveResult.Refused>(four.move(four.game(game), 1))
            assertEquals("column_full", refused.problem.code)
            assertEquals(8, refused.game.version)
            assertEquals(2, server.asked.size)
        }
    }

    @Test
    fun `a move in a game that was finished meanwhile is refused, with its end`() = blocking {
        val finished = problem(409, "game_finished", ""","game":${gameOf(9, "1122", over = true)}""")
        Scripted(json(gameOf(5, "1122")), finished).use { server ->
            val four = client(server.url)
            val refused = assertIs<MoveResult.Refused>(four.move(four.game(game), 1))
            assertEquals("game_finished", refused.problem.code)
            assertNotNull(refused.game.result)
        }
    }

    @Test
    fun `a network that is off is a failed connection`() {
        val port = ServerSocket(0).use { it.localPort }
        val problem = refused { client("http://127.0.0.1:$port", repeatMs = 300).signIn() }
        assertEquals("connection_failed", problem.code)
        assertNull(problem.status)
        assertTrue(problem.temporary)
    }

    @Test
    fun `an answer that doesn't come in time has timed out`() {
        Scripted(MockResponse().setSocketPolicy(SocketPolicy.NO_RESPONSE)).use { server ->
            assertEquals("timed_out", refused { client(server.url, repeatMs = 0, requestMs = 100).signIn() }.code)
        }
    }

    @Test
    fun `a gateway's page is a failed connection with its status, and asked again`() = blocking {
        Scripted(html(502), html(503), json(PROFILE)).use { server ->
            client(server.url).me()
            assertEquals(3, server.asked.size)
        }
        Scripted(html(502)).use { server ->
            val problem = refused { client(server.url, repeatMs = 0).me() }
            assertEquals("connection_failed", problem.code)
            assertEquals(502, problem.status)
        }
    }

    @Test
    fun `a wait that is longer than the app will repeat is not slept`() {
        Scripted(problem(429, "rate_limited", ""","retry_after_ms":30000""")).use { server ->
            val problem = refused { client(server.url).me() }
            assertEquals("rate_limited", problem.code)
            assertEquals(30_000, problem.retryAfterMs)
            assertEquals(1, server.asked.size)
        }
    }

    @Test
    fun `codes and values of tomorrow are values`() = blocking {
        val added = gameOf(1, more = ""","added_later":{"of":[1,"two",null]}""").replace("\"cpu_move\"", "\"of_tomorrow\"")
        Scripted(json(added.replace("\"in_progress\"", "\"of_tomorrow\"")), problem(418, "of_tomorrow")).use { server ->
            val four = client(server.url)
            assertEquals("of_tomorrow", four.game(game).status)
            val problem = refused { four.me() }
            assertEquals("of_tomorrow", problem.code)
            assertEquals(418, problem.status)
        }
    }
}
