// Measures the current values for the kinds of alerts whose history is stored nowhere else. Problems of channels and
// charges come from `attention/`.
import { knownBalance } from '../channels/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Machine } from '../ports/machine.ts'
import type { Storage } from '../ports/storage.ts'
import type { Web } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import { countOverdueCharges } from '../quota/owing.ts'
import type { Settings } from '../settings/index.ts'
import { getRuleKind, type AlertKind } from './rule-kinds.ts'

export interface Fact {
  kind: AlertKind
  subject: string
  value: number
}

interface FactPorts {
  storage: Storage
  clock: Clock
  machine: Machine
  web: Web
  ledger: Pick<Ledger, 'owed'>
  settings(): Settings
}

/** Measures what this process can see. @param away_s how long the database has been unavailable, in seconds */
export async function localFacts({ machine, ledger }: FactPorts, away_s: number): Promise<Fact[]> {
  const free = await machine.freeDisk()
  return [
    { kind: 'storage', subject: machine.process, value: away_s },
    { kind: 'owed_charges', subject: machine.process, value: countOverdueCharges(ledger) },
    ...(free === null ? [] : [{ kind: 'disk' as const, subject: machine.folder, value: free * 100 }]),
  ]
}

/** Reads the facts in the database, which are the same for every process. */
export async function storedFacts({ storage }: Pick<FactPorts, 'storage'>): Promise<Fact[]> {
  const [refused, debts, channels] = await Promise.all([
    storage.deadLetters.count(),
    storage.ledger.debts(1),
    storage.channels.balances(),
  ])
  const balances = channels.flatMap((channel): Fact[] => {
    const value = knownBalance(channel)
    return value === null ? [] : [{ kind: 'provider_balance', subject: String(channel.id), value }]
  })
  return [
    { kind: 'owed_charges', subject: REFUSED, value: refused },
    { kind: 'accounts_below_zero', subject: ACCOUNTS, value: debts.accounts },
    ...balances,
  ]
}

/** Charges that storage refused, of all processes. */
const REFUSED = 'dead letters'

/** All accounts, of users and of teams. */
const ACCOUNTS = 'accounts'

const DAY_MS = 86_400_000
const TIMEOUT_MS = 10_000

/**
 * Measures how long the certificate at the server's address is valid; undefined if the address is not https. @throws
 * GatewayError web.*
 */
export async function certificateFact({ web, clock, settings }: FactPorts): Promise<Fact[]> {
  const address = settings().ServerAddress
  if (!address.startsWith('https://')) return []
  const { certificate_ends } = await web.send({
    method: 'GET',
    url: address,
    certificate: true,
    timeout_ms: TIMEOUT_MS,
  })
  if (certificate_ends === undefined) return []
  const value = Math.floor((certificate_ends - clock.now()) / DAY_MS)
  return [{ kind: 'certificate', subject: new URL(address).host, value }]
}

/** Converts a fact to its stored form. @param at start of its quarter of an hour */
export const alertSample = (fact: Fact, at: number, worst = fact.value) => ({
  ...fact,
  at,
  worst,
  bad: getRuleKind(fact.kind).bad,
})
