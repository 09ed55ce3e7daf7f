// The progress of a new gateway, from the server: the browser stores none of it.
import { apiClient } from '../../data/client.ts'
import { useServerStatus } from '../../data/status.ts'
import { useEndpointWithFirstError } from '../../data/use-endpoint.ts'

export const SETUP_STEPS = ['channel', 'prices', 'token', 'call'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

/** How far the gateway is, for the signed-in administrator. */
export type SetupFacts = Awaited<ReturnType<typeof apiClient.attention.firstSteps>>

/** The props of a step. */
export interface StepProps {
  facts: SetupFacts
  /** Called after a step has changed the facts. */
  changed(): void
}

/** Loads the facts, for administrators. */
export const useFacts = () =>
  useEndpointWithFirstError(['attention.firstSteps'], () => apiClient.attention.firstSteps())

/** Returns which steps are done. In self-use mode models need no price. */
export function useDone(facts: SetupFacts | undefined): Record<SetupStep, boolean> {
  const { self_use_mode_enabled: ownUse } = useServerStatus()
  if (!facts) return { channel: false, prices: false, token: false, call: false }
  return {
    channel: facts.channels > 0,
    prices: facts.models.length > 0 && (ownUse || facts.unpriced.length === 0),
    token: facts.tokens > 0,
    call: facts.answered,
  }
}
