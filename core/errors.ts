// Every refusal Weir can give, in one table. Thrown where it is known, turned into a reply once per face.

/** What sort of refusal it is; each face maps a kind to its own status. */
export type ErrorKind =
  'invalid' | 'unauthenticated' | 'forbidden' | 'missing' | 'conflict' | 'exhausted' | 'limited' | 'upstream' | 'bug'

/** A row: kind, English, Chinese, and (for refusals a model caller can meet) the relay's own status and code. */
interface Row {
  kind: ErrorKind
  en: string
  zh: string
  relay?: { status: number; code?: string }
}

const row = (kind: ErrorKind, en: string, zh: string, status?: number, code?: string): Row => ({
  kind,
  en,
  zh,
  ...(status ? { relay: { status, code } } : {}),
})

/** `{name}` in a message is filled from the error's parameters. */
export const errors = {
  'request.invalid': row('invalid', 'Invalid parameters: {reason}', '参数无效：{reason}', 400, 'invalid_text_request'),
  'request.unreadable': row(
    'invalid',
    'Invalid request, the body is not valid JSON',
    '无效的请求，请求体不是合法的 JSON',
    400,
  ),
  'request.no_model': row('invalid', 'Invalid request, no model is named', '无效的请求，未指定模型', 400),
  'request.too_large': row('invalid', 'The request body is larger than {limit}', '请求体超过 {limit}', 413),
  'request.unknown_path': row('missing', 'Invalid URL ({method} {path})', '无效的地址（{method} {path}）', 404),
  'request.not_implemented': row('invalid', 'API not implemented', '接口尚未实现', 501, 'api_not_implemented'),
  'access.login_required': row('unauthenticated', 'not logged in or login expired', '尚未登录或登录已失效，请再次登录'),
  'access.user_mismatch': row(
    'unauthenticated',
    'The New-Api-User header does not match the signed-in user',
    'New-Api-User 请求头与登录用户不符',
  ),
  'access.forbidden': row('forbidden', 'You have no permission for this', '无权进行此操作', 403),
  'access.banned': row('forbidden', 'This user has been banned', '该用户已被封禁', 403),
  'access.token_invalid': row('forbidden', 'The access token is invalid', '访问令牌无效'),
  'login.missing': row('invalid', 'enter username and password', '请输入用户名和密码'),
  'login.failed': row(
    'forbidden',
    'Username or password is wrong, or the user has been banned',
    '用户名或密码错误，或用户已被封禁',
  ),
  'login.closed': row('forbidden', 'Password login is switched off', '管理员关闭了密码登录'),
  'setup.done': row('conflict', 'The system is already initialized', '系统已经完成初始化'),
  'setup.not_here': row(
    'forbidden',
    'Set up from this machine, or enter the setup code printed in the terminal',
    '请在本机完成初始化，或输入终端中显示的初始化代码',
  ),
  'setup.username': row('invalid', 'enter the administrator username', '请输入管理员用户名'),
  'setup.password_short': row('invalid', 'password length cannot be less than 8', '密码长度不能少于 8 位'),
  'setup.password_mismatch': row('invalid', 'the two passwords do not match', '两次填写的密码不相同'),
  'user.missing': row('missing', 'User not found', '用户不存在'),
  'user.name_taken': row('conflict', 'This username is already taken', '用户名已被占用'),
  'user.limits': row(
    'invalid',
    'username up to 12 characters, password 8 to 20',
    '用户名最多 12 个字符，密码 8 到 20 个字符',
  ),
  'token.missing': row('missing', 'Token not found', '令牌不存在'),
  'token.name_required': row('invalid', 'Please enter a token name', '请输入令牌名称'),
  'token.name_long': row('invalid', 'The token name is longer than {max} characters', '令牌名称超过 {max} 个字符'),
  'token.still_expired': row(
    'conflict',
    'The token has expired: change its expiry time first, or let it never expire',
    '令牌已过期，无法启用，请先修改过期时间，或设置为永不过期',
  ),
  'token.still_exhausted': row(
    'conflict',
    'The token has no quota left: raise its quota first, or make it unlimited',
    '令牌可用额度已用尽，无法启用，请先修改剩余额度，或设置为无限额度',
  ),
  'key.absent': row('unauthenticated', 'No API key was given', '未提供令牌', 401),
  'key.unknown': row('unauthenticated', 'Invalid token', '无效的令牌', 401),
  'key.exhausted': row('unauthenticated', 'The quota of token {masked} is used up', '令牌 {masked} 额度已用尽', 401),
  'key.expired': row('unauthenticated', 'This token has expired', '该令牌已过期', 401),
  'key.disabled': row('unauthenticated', 'This token is disabled', '该令牌状态不可用', 401),
  'key.address': row(
    'forbidden',
    'Your address is not in the list this token allows',
    '您的地址不在令牌允许访问的列表中',
    403,
  ),
  'key.pin_forbidden': row('forbidden', 'Ordinary users cannot choose a channel', '普通用户不支持指定渠道', 403),
  'key.pin_invalid': row('invalid', 'Invalid channel id', '无效的渠道 ID', 400),
  'group.disabled': row('forbidden', 'The group {group} of this token is disabled', '令牌分组 {group} 已被禁用', 403),
  'group.retired': row('forbidden', 'The group {group} has been retired', '分组 {group} 已被弃用', 403),
  'model.not_allowed': row('forbidden', 'This token may not use the model {model}', '该令牌无权使用模型 {model}', 403),
  'model.no_channel': row(
    'upstream',
    'No available channel for model {model} in group {group}',
    '当前分组 {group} 下对于模型 {model} 无可用渠道',
    503,
    'model_not_found',
  ),
  'model.no_price': row(
    'invalid',
    'The price of model {model} is not set, please contact the administrator',
    '模型 {model} 价格未配置，请联系管理员设置',
    400,
    'model_price_error',
  ),
  'model.no_price_root': row(
    'invalid',
    'The price of model {model} is not set: set a ratio or a price, or switch on self-use mode',
    '模型 {model} 价格未配置，请设置倍率或价格，或开启自用模式',
    400,
    'model_price_error',
  ),
  'model.missing': row('missing', "The model '{model}' does not exist", '模型 {model} 不存在', 404, 'model_not_found'),
  'quota.insufficient': row(
    'exhausted',
    'Not enough user quota: {balance} left, {needed} needed',
    '用户额度不足，剩余额度 {balance}，需要 {needed}',
    403,
    'insufficient_user_quota',
  ),
  'quota.token_insufficient': row(
    'exhausted',
    'Not enough token quota: {balance} left, {needed} needed',
    '令牌额度不足，剩余额度 {balance}，需要 {needed}',
    403,
    'pre_consume_token_quota_failed',
  ),
  'quota.overflow': row(
    'invalid',
    'The estimated charge of this request is too large',
    '该请求的预估费用过大',
    400,
    'invalid_text_request',
  ),
  'channel.missing': row('missing', 'Channel not found, please refresh and retry', '渠道不存在，请刷新后重试'),
  'channel.disabled': row('forbidden', 'This channel is disabled', '该渠道已被禁用', 403),
  'channel.name_key': row('invalid', 'Please fill in channel name and key!', '请填写渠道名称和渠道密钥！'),
  'channel.no_models': row('invalid', 'Please select at least one model!', '请至少选择一个模型！'),
  'channel.type_unknown': row('invalid', 'There is no channel type {type}', '没有编号为 {type} 的渠道类型'),
  'channel.test_failed': row('upstream', 'status code {status}: {reason}', '状态码 {status}：{reason}'),
  'channel.untestable': row('invalid', 'Channels of this type cannot be tested', '该类型的渠道不支持测试'),
  'channel.no_test_model': row('invalid', 'The channel names no model to test with', '渠道没有可用于测试的模型'),
  'channel.base_url': row(
    'invalid',
    'This channel type needs a base URL',
    '该渠道类型需要填写 Base URL',
    500,
    'invalid_base_url',
  ),
  'channel.wrong_operation': row(
    'invalid',
    'Channels of this type cannot serve this endpoint',
    '该类型渠道不支持此接口',
    400,
    'invalid_api_type',
  ),
  'mapping.cycle': row(
    'invalid',
    'The model mapping contains a cycle',
    '模型重定向包含循环',
    500,
    'model_mapped_error',
  ),
  'json.invalid': row('invalid', 'Not a valid JSON string', '不是合法的 JSON 字符串'),
  'setting.unknown': row('missing', 'There is no setting {key}', '没有名为 {key} 的设置'),
  'setting.invalid': row('invalid', '{key}: {reason}', '{key}：{reason}'),
  'setting.root_only': row(
    'forbidden',
    'Only the super administrator may change {key}',
    '只有超级管理员可以修改 {key}',
  ),
  'upstream.unreachable': row(
    'upstream',
    'The request to the upstream failed',
    '请求上游失败',
    500,
    'do_request_failed',
  ),
  'upstream.broken': row(
    'upstream',
    'The upstream broke off in the middle of its answer',
    '上游在回复途中中断',
    502,
    'bad_response',
  ),
  'upstream.unreadable': row(
    'upstream',
    'The upstream sent an answer that cannot be read',
    '无法读取上游的回复',
    502,
    'bad_response_body',
  ),
  'upstream.silent': row(
    'upstream',
    'The upstream stopped sending for {seconds} seconds',
    '上游已 {seconds} 秒没有数据',
    504,
    'upstream_timeout',
  ),
  'upstream.saturated': row(
    'limited',
    'The upstream of the current group is saturated, please try again later',
    '当前分组上游负载已饱和，请稍后再试',
    429,
  ),
  'limit.requests': row('limited', 'too many requests, try again later', '请求太频繁，请过一会儿再试', 429),
  'server.stopping': row('upstream', 'The server is stopping, please try again', '服务器正在停止，请重试', 503),
  'server.bug': row(
    'bug',
    'internal server error, contact admin',
    '服务器出现内部错误，请与管理员联系',
    500,
    'internal_error',
  ),
} satisfies Record<string, Row>

export type ErrorCode = keyof typeof errors
export type Language = 'en' | 'zh'
type Parameters = Record<string, string | number>

const fill = (text: string, parameters: Parameters) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))

/** A refusal with a public message. `detail` and `cause` are for our own log and never shown. */
export class GatewayError extends Error {
  readonly code: ErrorCode
  readonly parameters: Parameters
  readonly detail?: string

  constructor(code: ErrorCode, parameters: Parameters = {}, more: { detail?: string; cause?: unknown } = {}) {
    super(fill(errors[code].en, parameters), { cause: more.cause })
    this.name = 'GatewayError'
    this.code = code
    this.parameters = parameters
    this.detail = more.detail
  }

  get kind(): ErrorKind {
    return errors[this.code].kind
  }

  /** HTTP status and `error.code` at the relay's door. */
  get relay(): { status: number; code?: string } {
    return (errors[this.code] as Row).relay ?? { status: relayStatus[this.kind] }
  }

  /** The public message in the language of the person asking. */
  text(language: Language): string {
    return fill(errors[this.code][language], this.parameters)
  }
}

const relayStatus: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  exhausted: 403,
  limited: 429,
  upstream: 502,
  bug: 500,
}

/**
 * Refuses.
 * @throws GatewayError always
 */
export function fail(code: ErrorCode, parameters?: Parameters, more?: { detail?: string; cause?: unknown }): never {
  throw new GatewayError(code, parameters, more)
}

/** Any thrown value as a GatewayError; what we did not foresee is a bug and shows nothing of itself. */
export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new GatewayError(
        'server.bug',
        {},
        { cause: error, detail: error instanceof Error ? error.message : String(error) },
      )
}
