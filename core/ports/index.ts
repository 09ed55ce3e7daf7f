import type { AccessLines } from './access-lines.ts'
import type { Clock } from './clock.ts'
import type { Host } from './host.ts'
import type { IdentityServices } from './identity.ts'
import type { JournalFolder } from './journal.ts'
import type { YieldToEventLoop } from './later.ts'
import type { Logger } from './logger.ts'
import type { Machine } from './machine.ts'
import type { Mailer } from './mailer.ts'
import type { OpenMetricStore } from './metric-store.ts'
import type { Random } from './random.ts'
import type { Secrets } from './secrets.ts'
import type { SharedCounts } from './shared-counts.ts'
import type { Signer } from './signer.ts'
import type { Storage } from './storage.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Tracer } from './tracer.ts'
import type { Upstream } from './upstream.ts'
import type { Web } from './web.ts'

/** Everything the core asks of the world. */
export interface Ports {
  storage: Storage
  upstream: Upstream
  web: Web
  mailer: Mailer
  machine: Machine
  identity: IdentityServices
  clock: Clock
  random: Random
  secrets: Secrets
  signer: Signer
  logger: Logger
  /** Without one, what instances share is counted in the database. */
  sharedCounts?: SharedCounts
  /** Without one, charges that storage does not take wait in memory alone. */
  journal?: JournalFolder
  /** Only where calls are traced. */
  tracer?: Tracer
  /** Only where a line is wanted for each call. */
  access?: AccessLines
  /** Without one, there are no metrics. */
  openMetricStore?: OpenMetricStore
  /** Without one, prompts that no provider counts are estimated. */
  tokenizer?: Tokenizer
  /** Without one, nobody looks after the process. */
  host?: Host
  /** Without one, nothing waits for what is more urgent. */
  later?: YieldToEventLoop
}
