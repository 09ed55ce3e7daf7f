import type { Clock } from './clock.ts'
import type { ProcessHost, YieldToEventLoop, HostMachine } from './machine.ts'
import type { IdentityServices } from './identity.ts'
import type { JournalFolder } from './journal.ts'
import type { AccessLogDestination, Logger } from './logger.ts'
import type { Mailer } from './mailer.ts'
import type { OpenMetricStore } from './metric-store.ts'
import type { Random } from './random.ts'
import type { Secrets } from './secrets.ts'
import type { SharedCountStore } from './counter.ts'
import type { RequestSigner } from './signer.ts'
import type { Storage } from './storage.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { CallTracer } from './tracer.ts'
import type { UpstreamClient } from './upstream.ts'
import type { WebClient } from './web.ts'

/** The interfaces through which the core uses its environment. */
export interface Ports {
  storage: Storage
  upstream: UpstreamClient
  web: WebClient
  mailer: Mailer
  machine: HostMachine
  identity: IdentityServices
  clock: Clock
  random: Random
  secrets: Secrets
  signer: RequestSigner
  logger: Logger
  /** If undefined, counts shared by instances are in the database. */
  sharedCounts?: SharedCountStore
  /** If undefined, charges that the database does not accept wait only in memory. */
  journal?: JournalFolder
  /** The proxy variables of the environment with their values, without passwords. */
  proxies?: readonly string[]
  /** undefined unless calls are traced. */
  tracer?: CallTracer
  /** undefined unless there is an access log. */
  access?: AccessLogDestination
  /** If undefined, there are no metrics. */
  openMetricStore?: OpenMetricStore
  /** If undefined, prompts without a provider count are estimated. */
  tokenizer?: Tokenizer
  /** If undefined, the process is not monitored. */
  host?: ProcessHost
  /** If undefined, background work does not yield to urgent work. */
  yieldToEventLoop?: YieldToEventLoop
  /** Resolves when the next large body of a request may begin. If undefined, it begins at once. */
  takeLargeBodyTurn?: YieldToEventLoop
}
