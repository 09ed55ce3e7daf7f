// What a feature of Weir is: a folder whose `feature.ts` declares all that it adds. A line in `features.ts` puts it into
// the gateway, and one in `contracts.ts` its endpoints into the faces.
import type { SignInAttempt } from './auth/attempt.ts'
import type { HostWatch } from './attention/host-watch.ts'
import type { Handlers } from './auth/handler.ts'
import type { BodyKeeper } from './bodies/keeper.ts'
import type { CallSink } from './calls/sinks.ts'
import type { ChannelIndex } from './channels/channel-index.ts'
import type { TestRun } from './channels/jobs.ts'
import type { ChannelSupervisor } from './channels/supervisor.ts'
import type { FeatureContract } from './contract/endpoint.ts'
import type { Job } from './jobs.ts'
import type { ApiLimits } from './limits/api-rate.ts'
import type { CountMail } from './limits/mails.ts'
import type { CleanUp } from './logs/clean-up.ts'
import type { LogHomes } from './logs/homes.ts'
import type { LogFeed } from './logs/log-feed.ts'
import type { DeliverMessage } from './notify/deliver.ts'
import type { SendMail } from './notify/email.ts'
import type { Ports } from './ports/index.ts'
import type { Ledger } from './quota/ledger.ts'
import type { ChannelTester, TestChannel } from './relay/channel-test.ts'
import type { TaskPoller } from './relay/tasks/poller.ts'
import type { TaskEnds } from './tasks/task-ends.ts'
import type { RollUp } from './usage/roll-up.ts'
import type { Settings } from './settings/index.ts'
import type { SettingsSnapshot } from './settings/snapshot.ts'

/** What the gateway gives every feature; each names those that it uses. */
export interface Parts extends Ports, ChannelSupervisor {
  hostWatch: HostWatch
  settings(): Settings
  snapshot: SettingsSnapshot
  ledger: Ledger
  index: ChannelIndex
  limits: ApiLimits
  logFeed: LogFeed
  cleanUp: CleanUp
  logHomes: LogHomes
  attempt: SignInAttempt
  countMail: CountMail
  sendMail: SendMail
  deliver: DeliverMessage
  testChannel: ChannelTester
  tryChannel: TestChannel
  following: TaskPoller
  taskEnds: TaskEnds
  testRun: TestRun
  rollUp: RollUp
  bodyKeeper: BodyKeeper
  version: string
  setupCode: string
}

/** Endpoints come with their handlers; who is asked nothing has neither. */
type Asked<C extends FeatureContract> =
  { contract: C; handlers(parts: Parts): Handlers<C> } | { contract?: undefined; handlers?: undefined }

/**
 * What a folder adds to the gateway. Its stores are added to the interface `Storage` beside it, so that the adapters of
 * each database must have them.
 */
export type Feature<C extends FeatureContract> = Asked<C> & {
  jobs?(parts: Parts): Job[]
  /** Who hears of finished calls for it. */
  sinks?(parts: Parts): CallSink[]
}

/** Declares a feature; the identity function, there for its types. */
export function feature<C extends FeatureContract>(declaration: Feature<C>): Feature<C> {
  return declaration
}
