package io.github.fourinarow

import io.github.fourinarow.models.Side
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertIs
import kotlin.test.assertNull
import kotlin.test.assertTrue
import kotlinx.coroutines.flow.toList

class RepeatTest {
    @Test
    fun `a move whose answers get lost is the same request until it is answered`() = blocking {
        val busy = problem(503, "unavailable", ""","retry_after_ms":1""")
        Scripted(json(gameOf(1)), lost(), busy, html(502), json(gameOf(2, "4"))).use { server ->
            val four = client(server.url)
            val played = assertIs<MoveResult.Played>(four.move(four.game(game), 4))
            assertEquals("4", played.game.moves)
            val moves = server.bodies.drop(1)
            assertTrue(moves.size >= 4, "$moves") // OkHttp repeats some by itself
            assertEquals(setOf("""{"column":4,"ply":1}"""), moves.toSet())
        }
    }

    @Test
    fun `a table is opened by one name, however often it is asked for`() = blocking {
        Scripted(html(502), json(tableOf(1, "waiting"), 201)).use { server ->
            client(server.url).tables.open()
            assertEquals(2, server.bodies.size)
            assertEquals(1, server.bodies.toSet().size)
            assertTrue("client_ref" in server.bodies.first())
        }
    }

    @Test
    fun `a device's code is sent once, also where OkHttp would repeat it`() = blocking {
        Scripted(json(PROFILE), lost(), opened("fir_2")).use { server ->
            val four = client(server.url)
            four.me() // keeps the connection
            assertEquals("connection_failed", assertFailsWith<ProblemException> { four.devices.use("4T7QMB0XKE") }.code)
            assertEquals(listOf("GET /v1/me", "POST /v1/device-tokens"), server.paths)
        }
    }

    @Test
    fun `whoever has left for good is refused the second time, and has left`() = blocking {
        Scripted(opened("fir_1"), lost(), problem(401, "unauthenticated")).use { server ->
            val tokens = MemoryTokens()
            val four = client(server.url, tokens)
            four.signIn()
            four.deleteMe()
            assertNull(tokens.get(server.url.trimEnd('/')))
        }
    }

    @Test
    fun `a list is read page by page`() = blocking {
        val pages = arrayOf(
            json("""{"items":[${tableOf(1, "waiting")},${tableOf(2, "waiting")}],"next_cursor":"c2"}"""),
            json("""{"items":[],"next_cursor":"c3"}"""),
            json("""{"items":[${tableOf(3, "waiting")}]}"""),
        )
        Scripted(*pages).use { server ->
            val lobby = client(server.url).pages { cursor ->
                tables.listTables(cursor = cursor).let { FourInARow.Page(it.items, it.nextCursor) }
            }
            assertEquals(listOf(1L, 2L, 3L), lobby.toList().map { it.version })
            assertEquals(listOf("GET /v1/tables", "GET /v1/tables?cursor=c2", "GET /v1/tables?cursor=c3"), server.paths)
        }
    }

    @Test
    fun `a clock counts from when the answer came, whatever the device's clock says`() = blocking {
        Scripted(json(gameOf(1))).use { server ->
            val four = client(server.url)
            var ms = 5_000L
            four.asking.clock = { ms }
            val came = four.game(game)
            assertEquals(21_000, four.remaining(came, Side.red))
            ms += 1_500
            assertEquals(19_500, four.remaining(came, Side.red))
            assertNull(four.remaining(came, Side.yellow))
            ms += 60_000
            assertEquals(0, four.remaining(came, Side.red))
        }
    }

    @Test
    fun `a file keeps the players of several services, for its owner alone`() {
        val folder = Files.createTempDirectory("tokens")
        try {
            val file = folder.resolve("deep/tokens.json")
            FileTokens(file).set("https://one.example", "fir_1")
            FileTokens(file).set("https://one.example#Ivan", "fir_2")
            FileTokens(file).set("https://two.example", "fir_3")
            FileTokens(file).clear("https://one.example")
            assertNull(FileTokens(file).get("https://one.example"))
            assertEquals("fir_2", FileTokens(file).get("https://one.example#Ivan"))
            assertEquals("fir_3", FileTokens(file).get("https://two.example"))
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            assertEquals(setOf("tokens.json", "tokens.json.lock"), file.parent.toFile().list()!!.toSet())
        } finally {
            folder.toFile().deleteRecursively()
        }
    }
}
