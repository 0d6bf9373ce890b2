package io.github.fourinarow

import io.github.fourinarow.models.Game
import io.github.fourinarow.models.GameTable
import io.github.fourinarow.models.Problem

/**
 * Why something could not be done. Decide by [code]: one that the service lists at `GET /v1/problems`, one of a later service, or
 * one of this package's own, [NOT_THE_SERVICE], [CONNECTION_FAILED], [TIMED_OUT] and [CANCELLED].
 */
class ProblemException internal constructor(
    val code: String,
    /** What happened: of the service's problems in the language of the request. */
    val title: String,
    /** What happened here. */
    val detail: String? = null,
    /** The HTTP status; null without an answer. */
    val status: Int? = null,
    /** Milliseconds after which it may be tried again, where the answer says so. */
    val retryAfterMs: Long? = null,
    /** The whole problem as the service sent it: `errors`, `houseRule`. */
    val problem: Problem? = null,
    cause: Throwable? = null,
) : RuntimeException("$code: $title" + (detail?.let { " ($it)" } ?: ""), cause) {
    /** Finds the request in the log of the service. */
    val requestId: String? get() = problem?.requestId

    /** The game as it is now, where the problem is about one. */
    val game: Game? get() = problem?.game

    /** The table as it is now, where the problem is about one. */
    val table: GameTable? get() = problem?.table

    /** Whether the same request may go well later: the service was not reached, was busy, or does not know what became of it. */
    val temporary: Boolean
        get() = code == CONNECTION_FAILED || code == TIMED_OUT || status == 408 || status == 429 || (status ?: 0) >= 500

    companion object {
        /** What answers at the base URL isn't the service. */
        const val NOT_THE_SERVICE: String = "not_the_service"

        /** There was no answer, not a whole one, or one of a gateway (502, 503, 504). */
        const val CONNECTION_FAILED: String = "connection_failed"

        /** There was no answer in time. */
        const val TIMED_OUT: String = "timed_out"

        /** The app cancelled it. In a coroutine that is a `CancellationException`, as ever. */
        const val CANCELLED: String = "cancelled"
    }
}

internal fun notTheService(detail: String, status: Int? = null, retryAfterMs: Long? = null, cause: Throwable? = null) =
    ProblemException(ProblemException.NOT_THE_SERVICE, "This is not the service", detail, status, retryAfterMs, cause = cause)
