// Runs one endpoint for a caller: permission, input, handler, reply check. All interfaces use it.
import type { z } from 'zod'
import { getAddressKey, type HandlerContext, hasAccess, isFor } from './auth/caller.ts'
import { requireRecentAuthentication } from './auth/second-factors.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { parseEndpointInput } from './contract/input.ts'
import { servedEndpoints } from './endpoints.ts'
import { fail, GatewayError, type Language } from './errors.ts'
import type { ApiLimits } from './limits/api-rate.ts'
import { seconds, type Clock } from './ports/clock.ts'
import type { Settings } from './settings/index.ts'
import { USER_STATUS } from './users/user.ts'

/** The result of an endpoint: its data and further reply fields. */
export interface Dispatched {
  data: unknown
  replyFields: Record<string, unknown>
}

type RawInput = Record<string, unknown>

/**
 * Runs an endpoint. `input` may be a function, so that no body is read before the permission check.
 * @throws GatewayError any refusal of the endpoint
 */
export type DispatchEndpoint = (
  name: string,
  input: RawInput | (() => Promise<RawInput>),
  context: HandlerContext,
) => Promise<Dispatched>

type AnyHandler = (input: RawInput, context: HandlerContext) => Promise<unknown>

interface Rules {
  limits: ApiLimits
  clock: Clock
  settings(): Settings
  isSetUp(): Promise<boolean>
  /** Waits until storage has all earlier charges, so that a client that has received an answer sees its charge. */
  applied(): Promise<void> | undefined
}

/** Creates the dispatcher. `handlers` by feature and name. */
export function createDispatch(
  handlers: Record<string, Record<string, unknown>>,
  { limits, settings, clock, isSetUp, applied }: Rules,
): DispatchEndpoint {
  return async (name, input, context) => {
    const endpoint = servedEndpoints.get(name) ?? fail('request.unknown_path', { method: 'CALL', path: name })
    if (!endpoint.sentenceInData) return run(endpoint, { name, input, context })
    return run(endpoint, { name, input, context }).catch((error: unknown) =>
      repeatInData(error, context.caller.language),
    )
  }

  async function run(
    endpoint: Endpoint,
    { name, input, context }: { name: string; input: Parameters<DispatchEndpoint>[1]; context: HandlerContext },
  ): Promise<Dispatched> {
    requirePermission(endpoint, context)
    // All other calls need a user, and before setup there is none.
    const isEarly = endpoint.access === 'public' && !endpoint.beforeSetup && context.caller.via !== 'local'
    if (isEarly && !(await isSetUp())) fail('setup.first')
    if (endpoint.proof === true) requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
    if (endpoint.limit && context.caller.via !== 'local')
      await limits.count(endpoint.limit, getAddressKey(context.caller.ip))
    const [feature = '', operation = ''] = name.split('.')
    const handler = handlers[feature]?.[operation] as AnyHandler
    const given = typeof input === 'function' ? await input() : input
    const parsedInput = parseEndpointInput(endpoint, given)
    const booking = applied()
    if (booking) await booking
    return checkReply(name, endpoint, await handler(parsedInput, context))
  }
}

/** Throws the refusal with its sentence as `data`. */
function repeatInData(error: unknown, language: Language): never {
  if (!(error instanceof GatewayError) || error.kind === 'bug') throw error
  throw new GatewayError(error.code, error.parameters, {
    ...error,
    replyFields: { ...error.replyFields, data: error.explained(language) },
    cause: error.cause,
  })
}

/** @throws GatewayError access.* */
export function requirePermission(endpoint: Endpoint, { caller }: HandlerContext): void {
  if (endpoint.access === 'public') return
  if (caller.user === null && caller.via !== 'local') fail('access.login_required')
  if (caller.via !== 'local' && caller.user?.status !== USER_STATUS.enabled) fail('access.banned')
  if (!hasAccess(caller, endpoint.access)) fail('access.forbidden')
  if (!isFor(caller, endpoint.scope)) fail('access.scope', { scope: endpoint.scope ?? 'all' })
}

/** Describes the first issue, for the log. */
function describeFirstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'unreadable'
}

/**
 * Checks a reply. One that differs from its declaration is a bug; undeclared fields are removed, so that no secret is
 * sent.
 */
function checkReply(name: string, endpoint: Endpoint, result: unknown): Dispatched {
  const { data, ...rest } = endpoint.replyFields ? (result as Record<string, unknown>) : { data: result }
  const reply = endpoint.reply.safeParse(data)
  const replyFields = endpoint.replyFields?.safeParse(rest)
  if (reply.success && replyFields?.success !== false) return { data: reply.data, replyFields: replyFields?.data ?? {} }
  const error = reply.success ? replyFields?.error : reply.error
  return fail(
    'server.bug',
    {},
    { detail: `${name} replied something it does not declare: ${error ? describeFirstIssue(error) : ''}` },
  )
}
