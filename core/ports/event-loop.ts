/**
 * Yields to urgent work: resolves in a later turn of the event loop. Each turn resumes a few of the waiting callers, in
 * the order of their calls.
 */
export type YieldToEventLoop = () => Promise<void>
