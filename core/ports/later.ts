/**
 * Lets what is urgent go first: resolves in a later turn of the event loop, for a few of those who wait in each turn, in
 * the order in which they came.
 */
export type YieldToEventLoop = () => Promise<void>
