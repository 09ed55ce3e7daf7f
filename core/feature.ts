// A feature of Weir: a folder whose `feature.ts` declares all that it adds. A line in `features.ts` adds it to the
// gateway, and one in `contracts.ts` adds its endpoints for the clients.
import type { Handlers } from './auth/caller.ts'
import type { SignInAttempt } from './auth/sign-in.ts'
import type { ChannelSupervisor, TestRun } from './channels/jobs.ts'
import type { HostWatch } from './attention/host-watch.ts'
import type { BodyKeeper } from './bodies/keeper.ts'
import type { CallSink } from './calls/sinks.ts'
import type { ChannelIndex } from './channels/channel-index.ts'
import type { FeatureContract } from './contract/endpoint.ts'
import type { Job } from './jobs.ts'
import type { ApiLimits } from './limits/api-rate.ts'
import type { CountMail } from './limits/mails.ts'
import type { CleanUp } from './logs/clean-up.ts'
import type { LogHomes } from './logs/homes.ts'
import type { LogFeed } from './logs/log-feed.ts'
import type { RefusalLog } from './logs/refusals.ts'
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

/** The parts that the gateway gives to every feature; each picks those that it uses. */
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
  refusals: RefusalLog
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

/** Endpoints with their handlers; a feature without endpoints has neither. */
type Asked<C extends FeatureContract> =
  { contract: C; handlers(parts: Parts): Handlers<C> } | { contract?: undefined; handlers?: undefined }

/**
 * The declaration of a folder. Its stores are also added to the interface `Storage`, so that the adapters of each
 * database must implement them.
 */
export type Feature<C extends FeatureContract> = Asked<C> & {
  jobs?(parts: Parts): Job[]
  /** Returns the feature's sinks for finished calls. */
  sinks?(parts: Parts): CallSink[]
}

/** Declares a feature. An identity function that checks the types. */
export function feature<C extends FeatureContract>(declaration: Feature<C>): Feature<C> {
  return declaration
}
