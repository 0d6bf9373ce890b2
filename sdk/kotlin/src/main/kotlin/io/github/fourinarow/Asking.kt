package io.github.fourinarow

import io.github.fourinarow.models.Game
import io.github.fourinarow.models.Side
import java.time.Duration
import java.util.Collections
import java.util.WeakHashMap
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.random.Random
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.delay
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withContext
import okhttp3.HttpUrl.Companion.toHttpUrlOrNull
import okhttp3.OkHttpClient

/** In milliseconds. */
class Timeouts @JvmOverloads constructor(
    /** How long to wait for an answer that isn't held. */
    val requestMs: Long = 10_000,
    /** How long the service may hold an answer of a follower; 0: it isn't asked to. */
    val waitMs: Long = 25_000,
    /** For how long a request is sent again. */
    val repeatMs: Long = 10_000,
    /** For how long a move is sent again. */
    val moveMs: Long = 60_000,
)

/** One player's way to one service. */
internal class Asking(
    baseUrl: String,
    private val tokens: TokenStore,
    profileName: String?,
    http: OkHttpClient,
    val timeouts: Timeouts,
) {
    private val base = plain(baseUrl)
    private val key = base + (profileName?.let { "#$it" } ?: "")

    // What is sent elsewhere by a redirect would lose its method.
    private val http = http.newBuilder().followRedirects(false).readTimeout(Duration.ofMillis(timeouts.requestMs)).build()
    private val held = this.http.newBuilder().readTimeout(Duration.ofMillis(timeouts.waitMs + timeouts.requestMs)).build()

    /** Sends nothing twice; OkHttp repeats by itself otherwise. */
    val single: OkHttpClient = this.http.newBuilder().retryOnConnectionFailure(false).build()
    private val threads = Dispatchers.IO.limitedParallelism(MAX_REQUESTS)
    private val arrivals = Collections.synchronizedMap(WeakHashMap<Game, Long>())

    /** Milliseconds that only go forward. */
    var clock: () -> Long = ::now

    /** Who wants to see the answers about games that others than followers asked for. */
    val watchers = CopyOnWriteArrayList<(Game) -> Unit>()

    @Volatile private var token: String? = null

    suspend fun token(): String? = token ?: withContext(threads) { tokens.get(key) }.also { token = it }

    /** Keeps another token, or none. */
    suspend fun setToken(token: String?) = withContext(threads + NonCancellable) {
        this@Asking.token = token
        if (token == null) tokens.clear(key) else tokens.set(key, token)
    }

    /** The answer, however often the request has to be sent within this time. */
    suspend fun <T> ask(
        repeatMs: Long = timeouts.repeatMs,
        by: OkHttpClient = if (repeatMs > 0) http else single,
        request: Api.() -> T,
    ): T {
        val end = now() + repeatMs
        var tried = 0
        while (true) {
            try {
                return once(by, request).answer.also { if (it is Game) watchers.forEach { watch -> watch(it) } }
            } catch (problem: ProblemException) {
                problem.game?.let { game -> watchers.forEach { it(game) } }
                val after = pause(problem, tried++)
                if (!problem.temporary || now() + after >= end) {
                    throw problem
                }
                delay(after)
            }
        }
    }

    /** What came, and its tag. */
    class Came<T>(val answer: T, val tag: String?)

    /** The answer to a request that is sent once; with [waits] it may be held. It ends at once when its coroutine does. */
    suspend fun <T> once(waits: Boolean, request: Api.() -> T): Came<T> = once(if (waits) held else http, request)

    private suspend fun <T> once(by: OkHttpClient, request: Api.() -> T): Came<T> {
        val transport = Transport(by, token())
        return suspendCancellableCoroutine { waiting ->
            waiting.invokeOnCancellation { transport.cancel() }
            threads.asExecutor().execute {
                try {
                    val answer = Api(base, transport).request()
                    (answer as? Game)?.let(::arrived)
                    waiting.resume(Came(answer, transport.tag))
                } catch (failure: Throwable) {
                    val problem = problemOf(failure)
                    (problem as? ProblemException)?.game?.let(::arrived)
                    waiting.resumeWithException(problem)
                }
            }
        }
    }

    private fun arrived(game: Game) {
        arrivals[game] = clock()
    }

    fun remaining(game: Game, side: Side): Long? {
        val left = game.remainingMs ?: return null
        return if (game.turn == side) (left - (clock() - (arrivals[game] ?: clock()))).coerceAtLeast(0) else null
    }

    private companion object {
        const val MAX_REQUESTS = 256
    }
}

/** Milliseconds of a clock that only goes forward. */
internal fun now(): Long = System.nanoTime() / 1_000_000

private const val SHORTEST = 250L
private const val LONGEST = 10_000L

/** Milliseconds until the next try, after [tried] that failed before this one: what the answer asked for, else full jitter. */
internal fun pause(problem: ProblemException, tried: Int): Long {
    val jitter = Random.nextLong(minOf(LONGEST, SHORTEST shl minOf(tried, 10)) + 1)
    return problem.retryAfterMs?.let { it + minOf(jitter, SHORTEST) } ?: jitter
}

/** A base URL without what doesn't belong there. */
private fun plain(baseUrl: String): String {
    val url = baseUrl.toHttpUrlOrNull() ?: throw notTheService("$baseUrl is no address that begins with https:// or http://")
    return url.newBuilder().query(null).fragment(null).build().toString().trimEnd('/')
}
