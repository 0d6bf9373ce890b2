package io.github.fourinarow

import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import java.util.UUID
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch

/** Whether a follower reaches the service. */
enum class Connection { LOST, BACK }

/** What [run] emits: of each game the newest state, while the collector is busy. */
internal fun inBackground(run: suspend (emit: (Game) -> Unit) -> Unit): Flow<Game> = flow {
    coroutineScope {
        val waiting = ArrayDeque<Game>()
        val news = Channel<Unit>(Channel.CONFLATED)
        launch {
            val end = runCatching {
                run { game ->
                    synchronized(waiting) {
                        if (waiting.lastOrNull()?.id == game.id) {
                            waiting.removeLast()
                        }
                        waiting.addLast(game)
                    }
                    news.trySend(Unit)
                }
            }
            news.close(end.exceptionOrNull()) // comes after what is waiting
        }
        for (any in news) {
            while (true) {
                emit(synchronized(waiting) { waiting.removeFirstOrNull() } ?: break)
            }
        }
    }
}

private val Game.ended get() = status == "finished" || finishedAt != null

/** Follows one game or one table's games. */
internal class Follower(
    private val asking: Asking,
    private val onConnection: (Connection) -> Unit,
    private val onTable: (GameTable) -> Unit,
    private val emit: (Game) -> Unit,
) {
    private val wait = (asking.timeouts.waitMs / 1000).toInt()
    private var heard = false
    private var lost = false

    /** Emits the game as it is now, and then each newer state until it is over. It returns the last version. */
    suspend fun game(id: UUID, version: Long): Long {
        val states = States(id, version)
        val watch = states::offer
        asking.watchers.add(watch)
        try {
            var first = true
            while (true) {
                val asked = states.seen
                val since = now()
                val held = if (first) 0 else wait
                val game = steadily { asking.once(!first) { games.getGame(id, afterVersion = asked, wait = held) } }.answer
                val news = states.take(game, asked)
                if (game.ended) {
                    return game.version
                }
                if (!first && !news) {
                    unlessHeld(since, game.pollAfterMs)
                }
                first = false
            }
        } finally {
            asking.watchers.remove(watch)
        }
    }

    /** The states of a game as they come, by followers and by moves, which may overtake one another. */
    private inner class States(private val id: UUID, version: Long) {
        var seen = version
            @Synchronized get
            private set
        private var any = false
        private var ended = false

        /** Whether it was news. What is below the version that was asked after comes from a service that was restored. */
        @Synchronized fun take(game: Game, asked: Long): Boolean {
            if (any && game.version >= asked && (ended || game.version <= seen)) {
                return false
            }
            show(game)
            return true
        }

        @Synchronized fun offer(game: Game) {
            if (game.id == id && game.version > seen && !ended) {
                show(game)
            }
        }

        private fun show(game: Game) {
            any = true
            ended = game.ended
            seen = game.version
            emit(game)
        }
    }

    /** Follows the games of a table, and where quick match moved its owner to, that table's. */
    suspend fun table(start: UUID, version: Long) {
        var id = start
        var known: GameTable? = null
        var tag: String? = null
        var over: Pair<UUID, Long>? = null // the game that was followed to its end, and its last version
        var gone: UUID? = null
        while (true) {
            val before = known
            val since = now()
            val came = steadily { read(id, tag, before?.version ?: version, before != null) }
            if (came == null || came.answer == before) {
                unlessHeld(since, before?.pollAfterMs)
                continue
            }
            val table = came.answer
            known = table
            tag = came.tag
            onTable(table)
            val current = table.currentGame
            val followed = over?.takeIf { it.first == current?.id }?.second ?: 0
            if (current != null && (followed == 0L || current.version < followed)) {
                try {
                    over = current.id to game(current.id, maxOf(current.version, followed))
                } catch (problem: ProblemException) {
                    if (problem.status != 404 || gone == current.id) {
                        throw problem
                    }
                    gone = current.id // the service was restored, and the game had not begun
                    known = null
                    tag = null
                    continue
                }
            }
            if (table.status == "closed" || table.pollAfterMs == null) {
                id = table.movedToTableId ?: return
                known = null
                tag = null
            }
        }
    }

    /** The table when it or its game has changed; without a tag when it has; null where nothing has. */
    private suspend fun read(id: UUID, tag: String?, asked: Long, waits: Boolean): Asking.Came<GameTable>? = try {
        val after = asked.takeIf { tag == null }
        asking.once(waits) { tables.getTable(id, afterVersion = after, wait = if (waits) wait else 0, ifNoneMatch = tag) }
    } catch (_: Unchanged) {
        null
    }

    /** The service holds no more of this player's requests, or isn't asked to. */
    private suspend fun unlessHeld(since: Long, pollAfterMs: Int?) {
        if (wait == 0 || now() - since < wait * 1000L - SLACK) {
            delay(pollAfterMs?.toLong() ?: 1000)
        }
    }

    /** The answer, however long the service is away. */
    private suspend fun <T> steadily(ask: suspend () -> T): T {
        var tried = 0
        while (true) {
            try {
                val answer = ask()
                heard = true
                say(false)
                return answer
            } catch (problem: ProblemException) {
                val gateway = heard && problem.code == ProblemException.NOT_THE_SERVICE // it was the service before
                if (!problem.temporary && !gateway) {
                    throw problem
                }
                if (problem.status != 408 && problem.status != 429) {
                    say(true)
                }
                delay(pause(problem, tried++))
            }
        }
    }

    private fun say(lost: Boolean) {
        if (lost != this.lost) {
            this.lost = lost
            onConnection(if (lost) Connection.LOST else Connection.BACK)
        }
    }

    private companion object {
        const val SLACK = 100 // ms by which two clocks may differ
    }
}
