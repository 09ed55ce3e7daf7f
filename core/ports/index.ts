import type { Clock } from './clock.ts'
import type { IdentityServices } from './identity.ts'
import type { Later } from './later.ts'
import type { Logger } from './logger.ts'
import type { Mailer } from './mailer.ts'
import type { Random } from './random.ts'
import type { Secrets } from './secrets.ts'
import type { Signer } from './signer.ts'
import type { Storage } from './storage.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Upstream } from './upstream.ts'
import type { Web } from './web.ts'

/** Everything the core asks of the world. */
export interface Ports {
  storage: Storage
  upstream: Upstream
  web: Web
  mailer: Mailer
  identity: IdentityServices
  clock: Clock
  random: Random
  secrets: Secrets
  signer: Signer
  logger: Logger
  /** Without one, prompts that no provider counts are estimated. */
  tokenizer?: Tokenizer
  /** Without one, nothing waits for what is more urgent. */
  later?: Later
}
