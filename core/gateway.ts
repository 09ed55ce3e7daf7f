// Builds all features from the ports, and returns the Gateway that the interfaces use.
import type { ChangeAuthor } from './audit/audit.ts'
import { createHostWatch } from './attention/host-watch.ts'
import { createCallerCache, type CallerCache } from './auth/caller-cache.ts'
import { type Caller, type HandlerContext, noSession } from './auth/caller.ts'
import { createChannelSupervisor, createTestRun } from './channels/jobs.ts'
import { createBodyKeeper } from './bodies/keeper.ts'
import { createSinks, type CallSink, type SinkCounts } from './calls/sinks.ts'
import { createChannelIndex, type ChannelIndex } from './channels/channel-index.ts'
import { createClient } from './contract/client.ts'
import { apiContract, type WeirClient } from './contracts.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { createDispatch, requirePermission, type DispatchEndpoint } from './dispatch.ts'
import * as features from './features.ts'
import { startJobs } from './jobs.ts'
import { type ApiLimits, createApiLimits, createAttemptLimit } from './limits/api-rate.ts'
import { createCleanUp } from './logs/clean-up.ts'
import { createLogHomes } from './logs/homes.ts'
import { createLogFeed } from './logs/log-feed.ts'
import { createRefusalLog } from './logs/refusals.ts'
import { createMailCounter } from './limits/mails.ts'
import { withSharedLimits } from './limits/shared-ledger.ts'
import { createJournal } from './journal/journal.ts'
import { createMessageDelivery } from './notify/deliver.ts'
import { createSendMail } from './notify/email.ts'
import { buildRefusedChargeNotice } from './notify/notice.ts'
import { createGatewayMetrics, type Metrics } from './metrics/metrics.ts'
import { registerGauges } from './metrics/readings.ts'
import type { Ports } from './ports/index.ts'
import { createLedger } from './quota/ledger.ts'
import { returnLeasesOnChange } from './quota/quota-leases.ts'
import type { CallCaller } from './relay/call.ts'
import { type AdmitBody, createAdmitBody } from './relay/admission.ts'
import { createDeferredAnswers } from './relay/answers/background-responses.ts'
import { type AnswerById, createAnswerById } from './relay/answers/responses-by-id.ts'
import { createKeptAnswers, createKeptResponses } from './relay/answers/stored-responses.ts'
import { createChannelTester, createChannelTestRunner } from './relay/channel-test.ts'
import { ActiveCallCounter, ActiveReplies } from './relay/detachable-reply.ts'
import { type ListedModel, listVisibleModels } from './relay/model-candidates.ts'
import type { OpenRealtimeSession, WatchSessionAccess } from './relay/realtime/session.ts'
import { createRealtime, createSessionAccess } from './relay/realtime/session.ts'
import { recordBodies } from './relay/record-bodies.ts'
import { createTaskAdministration } from './relay/tasks/administration.ts'
import { createShowPicture, type ShowPicture } from './relay/tasks/image.ts'
import { createTaskPoller } from './relay/tasks/poller.ts'
import { createTaskReader, type QueryTasks, type ShowTaskFile } from './relay/tasks/task-reader.ts'
import { createOpenTasks } from './relay/tasks/task-row.ts'
import { createWebhookNotifier } from './relay/tasks/webhooks.ts'
import { createWordCheck } from './relay/word-check.ts'
import { createCallEstimator, type EstimateCall } from './relay/estimate-call.ts'
import { createPromptCounter, type CountPrompt } from './relay/prompt-count.ts'
import { createOwnedCompactions } from './relay/compaction/owned-compactions.ts'
import { createObjectOwners } from './relay/objects/object-owners.ts'
import { reportRefusedCall, type UnreadCall } from './relay/failure.ts'
import { createRelay, type RelayCall } from './relay/relay.ts'
import { createTaskOutcomes } from './relay/tasks/outcome.ts'
import { createSubmitTask, type SubmitTask } from './relay/tasks/submit.ts'
import type { Settings } from './settings/index.ts'
import { createSettingsSnapshot } from './settings/snapshot.ts'
import { createIsSetUp } from './site/setup.ts'
import { createPublicStatus, type PublicStatus } from './site/status.ts'
import type { EndTaskByAdmin } from './tasks/task-ends.ts'
import { announceDebts } from './teams/notify-invitation.ts'
import { createTakeNotice, type TakeNotice } from './topups/notices.ts'
import { createRollUp } from './usage/roll-up.ts'

export interface Gateway {
  version: string
  /** One-time code for setting Weir up from another machine. */
  setupCode: string
  ports: Ports
  settings(): Settings
  dispatch: DispatchEndpoint
  /** Checks that a caller may still call the endpoint. @throws GatewayError access.* */
  permit(endpoint: Endpoint, context: HandlerContext): void
  isSetUp(): Promise<boolean>
  /** Reads the public facts about this server, as `GET /api/status` shows them. */
  publicStatus(): Promise<PublicStatus>
  /** Rate limits of the API. */
  limits: ApiLimits
  relay: RelayCall
  realtime: OpenRealtimeSession
  watchSessionAccess: WatchSessionAccess
  countPrompt: CountPrompt
  /** Estimates the cost of a call without a provider. */
  estimateCall: EstimateCall
  answerById: AnswerById
  /** Tasks: work that providers finish later. */
  submitTask: SubmitTask
  askDesk: QueryTasks
  taskFile: ShowTaskFile
  /** Serves the image of a drawing without a key. */
  showPicture: ShowPicture
  /** Handles a provider's notification, which only triggers a poll of the task. */
  taskNotice: (notifyKey: string) => Promise<boolean>
  /** Polls all due tasks; resolves once they are answered. */
  followTasks: () => Promise<void>
  /** Admits a request before its body is read. */
  admitBody: AdmitBody
  /** Reports a call that is refused before it is read. */
  refuseCall(call: UnreadCall, error: unknown): void
  /** Handles a payment service's notification. */
  takeNotice: TakeNotice
  callers: CallerCache
  models(caller: CallCaller): ListedModel[]
  /** True if calls can begin, false if storage is unavailable. Reads memory only. */
  takesCalls(): boolean
  metrics: Metrics
  /** Counters of delivered and dropped calls by sink. */
  sinks(): Record<string, SinkCounts>
  /**
   * Resolves once storage has all earlier charges. Needed only by code that reads storage directly; endpoints wait on
   * their own.
   */
  applied(): Promise<void>
  /** A client in this process that acts as the super administrator: the terminal on the host. */
  client: WeirClient
  /** Adds a path before all others, such as `/ai`, at which another program mounts this gateway. */
  mountAt(basePath: string): void
  /** Stops accepting new calls, before the process stops. */
  refuseCalls(): void
  /** Ends all open answers with `server.stopping`. The output so far is charged. */
  cutCalls(): void
  /** Waits for the pending charges, and closes the database. */
  close(): Promise<void>
}

const SETUP_CODE_LENGTH = 10
/** The author of changes that no user requested. */
const SYSTEM_AUTHOR: ChangeAuthor = { user_id: 0, username: '', via: 'local', ip: '', request_id: '' }

interface GatewayOptions {
  version: string
  /** Sinks that receive finished calls after their answers. */
  sinks?: readonly CallSink[]
  /** True if answers wait only for the journal (docs/journal.md). */
  journalFirst?: boolean
  /** The path before all others, such as `/ai`. */
  basePath?: string
}

/** @throws any error of reading the storage */
export async function createGateway(ports: Ports, given: GatewayOptions): Promise<Gateway> {
  const { storage, clock, random, logger, upstream } = ports
  const basePaths = new Set([given.basePath ?? ''])
  const snapshot = await createSettingsSnapshot(storage, clock, { basePaths })
  const settings = snapshot.current
  const metrics = createGatewayMetrics({ ...ports, index: () => index })
  let refusedCharges = 0
  const booking = await createLedger({
    store: storage.ledger,
    chain: storage.chain,
    clock,
    random,
    logger,
    ...(ports.journal ? { journal: createJournal(ports.journal, logger) } : {}),
    journalFirst: given.journalFirst,
    recall: (id) => storage.announce({ topic: 'quota', id }),
    tellCrossed: (ids) => announceDebts(storage, ids),
    onCommit: metrics.committed,
    onRefused(letter) {
      refusedCharges += 1
      void care.notify(buildRefusedChargeNotice(letter))
    },
  })
  returnLeasesOnChange(storage, booking)
  const { sharedCounts } = ports
  const ledger = sharedCounts ? withSharedLimits(booking, { counts: sharedCounts, clock }) : booking
  const index: ChannelIndex = await createChannelIndex(storage)
  const setupCode = random.text(SETUP_CODE_LENGTH)
  const sendMail = createSendMail({
    ...ports,
    settings,
    replaceRefreshToken: async (value) => {
      await snapshot.change([{ key: 'SMTPOAuthRefreshToken', value }], SYSTEM_AUTHOR)
    },
  })
  const deliver = createMessageDelivery({ ...ports, sendMail })
  const care = createChannelSupervisor({ ...ports, deliver }, settings)
  await ledger.replay()
  const testChannel = createChannelTester({ ...ports, settings, switches: care.switches })
  const limits = createApiLimits({ counter: sharedCounts?.counter ?? storage.counter, settings })
  const logFeed = createLogFeed(ports)
  const refusals = createRefusalLog({ ...ports, settings, onCounted: (refused) => rollUp.refuse(refused) })
  const rollUp = createRollUp({ storage, settings, refusals })
  const bodyKeeper = createBodyKeeper({ ...ports, settings })
  const cleanUp = createCleanUp(ports)
  const logHomes = createLogHomes(ports)
  const taskOutcomes = createTaskOutcomes({ ...ports, ledger, rollUp, settings })
  const tellHook = createWebhookNotifier({ ...ports, settings })
  const following = createTaskPoller({ ...ports, index, settings, tellHook, outcomes: taskOutcomes })
  /** `ends` is made of the relay below, after the handlers that call it. */
  const taskEnds: EndTaskByAdmin = {
    cancel: (...parameters) => ends.cancel(...parameters),
    retry: (...parameters) => ends.retry(...parameters),
    refund: (...parameters) => ends.refund(...parameters),
  }
  const isSetUp = createIsSetUp(storage)
  const publicStatus = createPublicStatus({ version: given.version, clock, settings, isSetUp })
  /** The parts of the gateway. Each feature, and the relay, takes those that its own interface declares. */
  const parts = {
    following,
    taskEnds,
    ...ports,
    ...care,
    limits,
    logFeed,
    cleanUp,
    logHomes,
    refusals,
    attempt: createAttemptLimit({ ...ports, limits }),
    countMail: createMailCounter({ ...ports, limits }),
    sendMail,
    deliver,
    testChannel,
    tryChannel: createChannelTestRunner({ ...ports, settings }),
    testRun: createTestRun({ ...ports, ...care, testChannel }),
    rollUp,
    bodyKeeper,
    ledger,
    index,
    settings,
    snapshot,
    version: given.version,
    setupCode,
    publicStatus,
    hostWatch: createHostWatch(ports),
  }
  const handlers = Object.fromEntries(
    Object.entries(features).map(([name, feature]) => [name, feature.handlers?.(parts) ?? {}]),
  )
  const run = createDispatch(handlers, { ...parts, isSetUp, applied: ledger.applied })
  /** API calls in progress. A client disconnect does not end them. */
  const openCalls = new Set<Promise<unknown>>()
  const dispatch: typeof run = (...call) => {
    const reply = run(...call).finally(() => openCalls.delete(reply))
    openCalls.add(reply)
    return reply
  }
  const owners = createObjectOwners({ ...ports, applied: ledger.applied })
  const answers = createKeptAnswers({ ...ports, owners, settings })
  const compactions = createOwnedCompactions(ports.secrets)
  const responseChain = createKeptResponses({ ...parts, answers, compactions })
  const background = new ActiveReplies()
  const activeCalls = new ActiveCallCounter()
  const own = Object.values(features).flatMap((feature) => feature.sinks?.(parts) ?? [])
  const sinks = createSinks([metrics.sink, ...own, ...(given.sinks ?? [])], ports)
  const answering = {
    responseChain,
    compactions,
    owners,
    background,
    activeCalls,
    sinks,
    checkWords: createWordCheck(),
  }
  const relayPorts = { ...parts, channels: index, ...answering }
  const callers = createCallerCache(storage, clock, ledger.applied)
  const openTasks = createOpenTasks(storage)
  const submitTask = createSubmitTask({ ...relayPorts, openTasks })
  const deferred = createDeferredAnswers({ ...ports, responseChain, openTasks, settings })
  const desk = createTaskReader({ ...parts, channels: index })
  const ends = createTaskAdministration({
    ...ports,
    channels: index,
    outcomes: taskOutcomes,
    callers,
    submit: submitTask,
  })
  const watchSessionAccess = createSessionAccess({ ...ports, callers })
  registerGauges(metrics, {
    ...parts,
    ...care,
    activeCalls,
    refusedCharges: () => refusedCharges,
    sinks: () => sinks.counts(),
  })
  // With a metrics token counting starts now; a separate metrics port starts it itself.
  if (settings()['metrics.token'] !== '') await metrics.start()
  const jobs = Object.values(features).flatMap((feature) => feature.jobs?.(parts) ?? [])
  const stopJobs = startJobs(ports, jobs)

  return {
    version: given.version,
    setupCode,
    ports,
    settings,
    dispatch,
    permit: requirePermission,
    isSetUp,
    publicStatus,
    limits,
    relay: recordBodies(createRelay(relayPorts, deferred), bodyKeeper, clock),
    realtime: createRealtime({ ...relayPorts, watchSessionAccess }),
    watchSessionAccess,
    countPrompt: createPromptCounter({ ...parts, owners, responseChain, channels: index }),
    estimateCall: createCallEstimator({ ...parts, owners, responseChain, channels: index }),
    answerById: createAnswerById({ ...parts, channels: index, answers, deferred }),
    submitTask,
    async followTasks() {
      await following.run()
      await following.settled()
    },
    showPicture: createShowPicture({ ...ports, index, limits }),
    askDesk: desk.ask,
    taskFile: desk.file,
    taskNotice: following.wake,
    admitBody: createAdmitBody({ ledger, clock: ports.clock, settings }),
    refuseCall: (call, error) => reportRefusedCall(refusals, call, undefined, error),
    takeNotice: createTakeNotice(parts),
    callers,
    models: (caller) => listVisibleModels(caller, index, settings()),
    takesCalls: ledger.takesCalls,
    metrics,
    sinks: () => sinks.counts(),
    applied: async () => ledger.applied(),
    client: createClient(apiContract, async (name, endpoint, input) => {
      const { data, replyFields } = await dispatch(name, input, {
        caller: await loadLocalCaller(ports),
        session: noSession,
      })
      return endpoint.replyFields ? { data, ...replyFields } : data
    }),
    mountAt: (basePath) => void basePaths.add(basePath),
    refuseCalls: () => background.refuse(),
    cutCalls: () => background.cutConnected(),
    async close() {
      stopJobs()
      await following.close()
      logFeed.close()
      await cleanUp.close()
      await Promise.allSettled(openCalls)
      // Runs after the calls whose clients have just disconnected: their usage is still to be charged.
      await ports.yieldToEventLoop?.()
      deferred.stop()
      await background.close()
      await deferred.settled()
      await ledger.close()
      await refusals.close()
      await sinks.close()
      await ports.access?.close()
      await bodyKeeper.settled()
      await upstream.close()
      ports.host?.close()
      await ports.tokenizer?.close()
      await sharedCounts?.close()
      await logHomes.close()
      await storage.close()
    },
  }
}

/** Returns the terminal on the host as the super administrator, who may not exist yet. */
export async function loadLocalCaller({ storage, random }: Pick<Ports, 'storage' | 'random'>): Promise<Caller> {
  const user = await storage.users.findRoot()
  return { user, token: null, via: 'local', ip: '127.0.0.1', request_id: random.text(16), language: 'en' }
}
