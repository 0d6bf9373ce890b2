package io.github.fourinarow

import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertTrue
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import okhttp3.mockwebserver.MockResponse
import okhttp3.mockwebserver.RecordedRequest

class FollowTest {
    private fun asked(after: Int, wait: Int = 25) = "GET /v1/games/$GAME?after_version=$after&wait=$wait"

    private suspend fun Flow<Game>.versions() = map { it.version.toInt() }.toList()

    /** Answers are released one by one, so that the collector sees each. */
    private class Steps(answers: List<MockResponse>) {
        val left = LinkedBlockingQueue(answers)
        private val turn = LinkedBlockingQueue(listOf(Unit))

        fun next(): MockResponse {
            turn.take()
            return left.poll()
        }

        fun seen() = turn.add(Unit)
    }

    @Test
    fun `a game is followed state by state to its end`() = blocking {
        val steps = Steps(listOf(json(gameOf(1)), json(gameOf(2, "4")), json(gameOf(5, "44")), json(gameOf(6, "4", over = true))))
        Scripted(route = { steps.next() }).use { server ->
            val versions = client(server.url).followGame(game).map { steps.seen(); it.version.toInt() }.toList()
            assertEquals(listOf(1, 2, 5, 6), versions)
            assertEquals(listOf(asked(0, 0), asked(1), asked(2), asked(5)), server.paths)
        }
    }

    @Test
    fun `an unchanged game is asked for again, and no state`() = blocking {
        Scripted(json(gameOf(3)), json(gameOf(3)), json(gameOf(3)), json(gameOf(4, over = true))).use { server ->
            assertEquals(4, client(server.url).followGame(game).versions().last())
            assertEquals(listOf(asked(0, 0), asked(3), asked(3), asked(3)), server.paths)
        }
    }

    @Test
    fun `a busy collector finds the newest state, and the end of the game`() = blocking {
        val answered = CountDownLatch(3)
        val answers = LinkedBlockingQueue(listOf(gameOf(1), gameOf(2, "4"), gameOf(3, "44", over = true)))
        Scripted(route = { json(answers.poll()).also { answered.countDown() } }).use { server ->
            val four = client(server.url)
            val versions = four.followGame(game).map {
                launch(Dispatchers.IO) { answered.await() }.join()
                it.version.toInt()
            }.toList()
            assertEquals(3, versions.last())
            assertEquals(versions.sorted(), versions)
        }
    }

    @Test
    fun `a version below the one asked after is taken, since the service was restored`() = blocking {
        val steps = Steps(listOf(json(gameOf(9, "4455")), json(gameOf(4, "44")), json(gameOf(5, "441", over = true))))
        Scripted(route = { steps.next() }).use { server ->
            val versions = client(server.url).followGame(game).map { steps.seen(); it.version.toInt() }.toList()
            assertEquals(listOf(9, 4, 5), versions)
        }
    }

    @Test
    fun `one's own move is shown at once, and an answer that it has overtaken is not`() = blocking {
        val moved = CountDownLatch(1)
        val held = LinkedBlockingQueue(listOf(gameOf(1), gameOf(2), gameOf(4, "44", over = true)))
        val answer = { request: RecordedRequest ->
            if (request.method == "POST") {
                json(gameOf(3, "4"))
            } else {
                if (held.size == 2) moved.await() // the answer with version 2 is on its way while the move's comes
                json(held.poll())
            }
        }
        Scripted(route = answer).use { server ->
            val four = client(server.url)
            val seen = mutableListOf<Long>()
            four.followGame(game).collect { state ->
                seen += state.version
                when (state.version) {
                    1L -> launch { four.move(state, 4) }
                    3L -> moved.countDown()
                }
            }
            assertEquals(listOf(1L, 3L, 4L), seen)
        }
    }

    @Test
    fun `one's own last move is the end, also where a rematch is wanted before the held answer comes`() = blocking {
        val moved = CountDownLatch(1)
        val held = LinkedBlockingQueue(listOf(gameOf(1), gameOf(3, "4", over = true)))
        val answer = { request: RecordedRequest ->
            if (request.method == "POST") {
                json(gameOf(2, "4", over = true))
            } else {
                if (held.size == 1) moved.await()
                json(held.poll())
            }
        }
        Scripted(route = answer).use { server ->
            val four = client(server.url)
            val seen = mutableListOf<Long>()
            four.followGame(game).collect { state ->
                seen += state.version
                if (state.canMove) launch { four.move(state, 4) } else moved.countDown()
            }
            assertEquals(listOf(1L, 2L), seen)
        }
    }

    @Test
    fun `a service that is away is said to be lost once and back once`() = blocking {
        val away = problem(503, "unavailable", ""","retry_after_ms":1""")
        val limited = problem(429, "rate_limited", ""","retry_after_ms":1""")
        val end = json(gameOf(2, over = true))
        Scripted(json(gameOf(1)), limited, lost(), lost(), html(502), html(200), away, end).use { server ->
            val said = LinkedBlockingQueue<Connection>()
            assertEquals(2, client(server.url).followGame(game) { said += it }.versions().last())
            assertEquals(listOf(Connection.LOST, Connection.BACK), said.toList())
        }
    }

    @Test
    fun `what isn't the service from the start ends it, and so does a refused token`() = blocking {
        for ((code, answer) in mapOf("not_the_service" to html(200), "unauthenticated" to problem(401, "unauthenticated"))) {
            Scripted(answer).use { server ->
                val problem = assertFailsWith<ProblemException> { client(server.url).followGame(game).toList() }
                assertEquals(code, problem.code)
            }
        }
    }

    @Test
    fun `whoever stops collecting ends the request that is held`() = blocking {
        Scripted(json(gameOf(1))).use { server -> // and holds the next
            val four = client(server.url, requestMs = 600_000) // longer than a test may take
            val following = launch { four.followGame(game).collect {} }
            withContext(Dispatchers.IO) { repeat(2) { server.asked.take() } }
            following.cancelAndJoin()
            assertTrue(following.isCancelled)
        }
    }

    @Test
    fun `a table is followed from game to game until it closes`() = blocking {
        val tables = LinkedBlockingQueue(
            listOf(
                json(tableOf(1, "waiting")).setHeader("ETag", "W/\"1.0-1\""),
                json(tableOf(2, "playing", GAME)).setHeader("ETag", "W/\"2.1-1\""),
                json(tableOf(3, "between_games", GAME, 3)).setHeader("ETag", "W/\"3.3-1\""),
                MockResponse().setResponseCode(304),
                json(tableOf(4, "playing", NEXT_GAME)),
                json(tableOf(5, "closed", NEXT_GAME, 2)),
            ),
        )
        val games = LinkedBlockingQueue(
            listOf(gameOf(1), gameOf(3, "4", over = true), gameOf(1, id = NEXT_GAME), gameOf(2, over = true, id = NEXT_GAME)),
        )
        Scripted(route = { if ("/tables/" in it.path!!) tables.poll() else json(games.poll()) }).use { server ->
            val told = LinkedBlockingQueue<GameTable>()
            val ends = client(server.url).followTable(table, onTable = { told += it }).toList().filter { it.result != null }
            assertEquals(listOf(GAME, NEXT_GAME), ends.map { "${it.id}" })
            assertEquals(listOf("waiting", "playing", "between_games", "playing", "closed"), told.map { it.status })
            val asked = server.asked.filter { "/tables/" in it.path!! }
            val tags = listOf(null, "W/\"1.0-1\"", "W/\"2.1-1\"", "W/\"3.3-1\"", "W/\"3.3-1\"", null)
            assertEquals(tags, asked.map { it.getHeader("If-None-Match") })
            assertEquals("/v1/tables/$TABLE?after_version=4&wait=25", asked.last().path) // where a gateway takes the tags away
        }
    }

    @Test
    fun `where quick match moves its player, the other table is followed`() = blocking {
        val other = "01990c2a-7a10-7d4f-8a2c-6b7c8d9e0f12"
        val moved = tableOf(2, "closed", more = ""","close_reason":"moved","moved_to_table_id":"$other"""")
        val answers = LinkedBlockingQueue(
            listOf(json(moved), json(tableOf(1, "closed", GAME)), json(gameOf(7, over = true))),
        )
        Scripted(route = { answers.poll() }).use { server ->
            assertEquals(listOf(7), client(server.url).followTable(table).versions())
            assertEquals("GET /v1/tables/$other?after_version=0&wait=0", server.paths[1])
        }
    }

    @Test
    fun `a game that is unknown to a restored service is followed no more, and its table is`() = blocking {
        val answers = LinkedBlockingQueue(
            listOf(json(tableOf(2, "playing", GAME)), problem(404, "not_found"), json(tableOf(1, "closed"))),
        )
        Scripted(route = { answers.poll() }).use { server ->
            assertEquals(listOf(), client(server.url).followTable(table).versions())
        }
    }
}
