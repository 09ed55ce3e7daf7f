// The types of an endpoint's handler.
import type { FeatureContract, HandlerInput, HandlerReply } from '../contract/endpoint.ts'
import type { Caller, SessionControl } from './caller.ts'

/**
 * The context of a handler in addition to its input. `session` starts and ends the caller's session, if the interface
 * has one.
 */
export interface HandlerContext {
  caller: Caller
  session: SessionControl
}

/** One function per endpoint; a missing one does not compile. */
export type Handlers<F extends FeatureContract> = {
  [K in keyof F]: (input: HandlerInput<F[K]>, context: HandlerContext) => Promise<HandlerReply<F[K]>>
}
