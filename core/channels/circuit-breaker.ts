// A circuit breaker per channel, key and model: after failures it is open and rejects calls for a while; then it is
// half-open, and one real call probes it.
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { Clock } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'

/** The key of a circuit breaker: a channel, and a key by its fingerprint. */
export interface CircuitKey {
  channel: number
  key: string
  model: string
}

export interface CircuitBreakers {
  /** Epoch ms from which the circuit may be used again; 0 when it may be used now. */
  reopensAt(circuit: CircuitKey): number
  /** Records the start of a call. In a half-open circuit it is the probe; others wait for its result. */
  begin(circuit: CircuitKey): void
  /** Closes the circuit, unless it was opened after the call began (epoch ms): then the newer word counts. */
  succeeded(circuit: CircuitKey, beganAt: number): void
  /** A failure of the channel counts; one of the request only ends the call's try. */
  failed(circuit: CircuitKey, failure: CallFailure): void
  /** The call ended without a result for the channel. */
  abandoned(circuit: CircuitKey): void
  /** Resets the channel, or one key of it, after it was changed or enabled. */
  forget(channel: number, key?: string): void
  /** Returns the open circuits of one channel, or of all, for display. */
  open(channel?: number): { channel: number; key: string; model: string; until: number }[]
}

interface BreakerState {
  /** Times of the failures that count, in epoch ms. */
  failures: number[]
  /** Epoch ms until which the circuit is open; 0 while it is closed. */
  until: number
  /** When it opened last, in epoch ms. */
  opened: number
  /** Since when one call has been trying, in epoch ms; 0 for none. */
  trying: number
  circuit: CircuitKey
}

/** Circuits that are remembered; beyond it the oldest are forgotten, which only means that they are tried. */
const MAX_CIRCUITS = 20_000
/** Failures count together within this time, in ms. */
const WINDOW_MS = 60_000
/** Maximum time that a probe without a result blocks other calls, in ms. */
const MAX_TRYING_MS = 120_000
const TOO_MANY = 429
const UNAVAILABLE = 503

const buildCircuitName = ({ channel, key, model }: CircuitKey) => `${channel} ${key} ${model}`

/** Returns true if the failure is one of the channel, so that the next call should use another one. */
export function countsAgainstChannel(failure: CallFailure): boolean {
  const { status, source } = failure
  if (source === 'gateway') return FAULTS.has(failure.code)
  return status >= 500 || [401, 402, 403, 408, TOO_MANY].includes(status)
}
const FAULTS = new Set<CallFailure['code']>([
  'do_request_failed',
  'bad_response',
  'bad_response_body',
  'upstream_timeout',
])

type BreakerLimits = Pick<Settings, 'channels.cooldown_failures' | 'channels.cooldown_seconds'>

export function createCircuitBreakers(clock: Clock, settings: () => BreakerLimits): CircuitBreakers {
  const states = new Map<string, BreakerState>()

  function getOrCreateState(circuit: CircuitKey): BreakerState {
    const name = buildCircuitName(circuit)
    let state = states.get(name)
    if (!state) {
      states.set(name, (state = { failures: [], until: 0, opened: 0, trying: 0, circuit: { ...circuit } }))
      if (states.size > MAX_CIRCUITS) states.delete(states.keys().next().value ?? name)
    }
    return state
  }
  // Without failures a call only reads the size.
  const known = (circuit: CircuitKey) => (states.size === 0 ? undefined : states.get(buildCircuitName(circuit)))

  return {
    reopensAt(circuit) {
      const state = known(circuit)
      if (!state || state.until === 0) return 0
      const now = clock.now()
      if (state.until > now) return state.until
      return state.trying > 0 && now - state.trying < MAX_TRYING_MS ? state.trying + MAX_TRYING_MS : 0
    },
    begin(circuit) {
      const state = known(circuit)
      if (state && state.until > 0) state.trying = clock.now()
    },
    succeeded(circuit, beganAt) {
      const state = known(circuit)
      if (state && beganAt >= state.opened) states.delete(buildCircuitName(circuit))
    },
    failed(circuit, failure) {
      const threshold = settings()['channels.cooldown_failures']
      if (threshold === 0) return
      if (!countsAgainstChannel(failure)) return void this.abandoned(circuit)
      const now = clock.now()
      const state = getOrCreateState(circuit)
      const wait = [TOO_MANY, UNAVAILABLE].includes(failure.status) ? failure.retry_after_ms : undefined
      const wasOpen = state.until > 0
      state.trying = 0
      state.failures = [...state.failures.filter((time) => now - time < WINDOW_MS), now].slice(-threshold)
      if (wait === undefined && !wasOpen && state.failures.length < threshold) return
      state.opened = now
      state.until = Math.max(state.until, now + (wait ?? settings()['channels.cooldown_seconds'] * 1000))
    },
    abandoned(circuit) {
      const state = known(circuit)
      if (state) state.trying = 0
    },
    forget(channel, key) {
      for (const [name, { circuit }] of states)
        if (circuit.channel === channel && (key === undefined || circuit.key === key)) states.delete(name)
    },
    open(channel) {
      const now = clock.now()
      return [...states.values()]
        .filter((state) => (channel === undefined || state.circuit.channel === channel) && state.until > now)
        .map(({ circuit, until }) => ({ ...circuit, until }))
    },
  }
}
