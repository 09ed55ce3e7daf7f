// The progress of a new gateway, from the server: the browser stores none of it.
import { apiClient } from '../../data/client.ts'
import { useServerStatus } from '../../data/status.ts'
import { useEndpointWithFirstError } from '../../data/use-endpoint.ts'

export const SETUP_STEPS = ['channel', 'prices', 'token', 'call'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

export interface SetupFacts {
  /** Number of all channels, enabled and disabled. */
  channels: number
  /** The models that can be called. */
  models: string[]
  /** Served models without a price. */
  unpriced: string[]
  tokens: number
  /** Id of the user's newest token; 0 for none. */
  newest: number
  /** A call of the user was answered. */
  answered: boolean
}

/** The props of a step. */
export interface StepProps {
  facts: SetupFacts
  /** Called after a step has changed the facts. */
  changed(): void
}

/** Loads the facts, for administrators. */
export function useFacts() {
  return useEndpointWithFirstError(['setup.facts'], async (): Promise<SetupFacts> => {
    const [channels, models, missing, tokens, calls] = await Promise.all([
      apiClient.channels.list({ p: 0, page_size: 1 }),
      apiClient.users.models(),
      apiClient.prices.missing(),
      apiClient.tokens.list({ p: 0, size: 1 }),
      apiClient.logs.listSelf({ type: 2, page_size: 1 }),
    ])
    return {
      channels: channels.total,
      models,
      unpriced: missing.filter(({ served }) => served).map(({ model }) => model),
      tokens: tokens.total,
      newest: tokens.data[0]?.id ?? 0,
      answered: calls.total > 0,
    }
  })
}

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
