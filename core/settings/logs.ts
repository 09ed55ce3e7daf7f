// Settings of the usage log.
import { words } from '../errors.ts'
import { z } from 'zod'
import { count, flag, failWith, setting, text, units } from './setting.ts'

const OLDER_GO = words(
  'Rows of the usage log that are older are removed for good, from now on.',
  '自此起，更早的使用日志记录将被永久删除。',
)

export const logSettings = {
  LogConsumeEnabled: setting({
    value: flag(true),
    label: words('Log calls', '记录消费日志'),
    help: words('Off: calls are charged but leave no row in the usage log', '关闭后调用照常计费，但不写入使用日志'),
    card: 'operation.logs',
    order: 10,
    danger: words(
      'Off: costs of calls are not visible, and the dashboard stays empty.',
      '关闭后无法查看调用费用，看板也没有数据',
    ),
    dangerAt: false,
    writer: 'proven_admin',
  }),
  'bodies.keep_hours': setting({
    value: count(24, { max: 720 }),
    label: words('Keep bodies of calls', '保存调用内容'),
    help: words(
      'Retention of requests and answers for users who ask for it, encrypted for their own key',
      '用户要求时，请求与回答以其自己的公钥加密保存多久',
    ),
    zero: words('keeping none', '不保存'),
    card: 'operation.bodies',
    order: 10,
    unit: units.hours,
    writer: 'admin',
  }),
  'bodies.kilobytes': setting({
    value: count(256, { min: 1, max: 16_384 }),
    label: words('Size of a kept body', '单个调用内容的上限'),
    help: words(
      'For the request and the answer each; longer ones are cut and marked',
      '请求与回答各自的上限；超出部分截断并注明',
    ),
    card: 'operation.bodies',
    order: 20,
    unit: units.kibibytes,
    writer: 'admin',
  }),
  'bodies.per_user': setting({
    value: count(200, { min: 1, max: 100_000 }),
    label: words('Calls of a user', '每位用户的调用数'),
    help: words('Beyond it the oldest go', '超出后删除最旧的'),
    card: 'operation.bodies',
    order: 30,
    writer: 'admin',
  }),
  'bodies.megabytes_per_user': setting({
    value: count(32, { min: 1, max: 1_048_576 }),
    label: words('Size of the bodies of a user', '每位用户调用内容的总量'),
    help: words('Beyond it the oldest go', '超出后删除最旧的'),
    card: 'operation.bodies',
    order: 40,
    unit: units.mebibytes,
    writer: 'admin',
  }),
  'bodies.megabytes': setting({
    value: count(1024, { min: 1, max: 1_048_576 }),
    label: words('Size of all kept bodies', '全部调用内容的总量'),
    help: words('Beyond it new ones are dropped and the oldest go', '超出后丢弃新的，并删除最旧的'),
    card: 'operation.bodies',
    order: 50,
    unit: units.mebibytes,
    writer: 'admin',
  }),
  'metrics.token': setting({
    value: {
      ...text(),
      schema: z.string().refine((token) => token === '' || token.length >= 16, failWith('setting.metrics_token')),
    },
    label: words('Token for /metrics', '/metrics 令牌'),
    help: words(
      'Bearer token for reading /metrics, for Prometheus. Empty: no access; --metrics-port needs none',
      '读取 /metrics（Prometheus）的 Bearer 令牌。留空则不开放；--metrics-port 无需令牌',
    ),
    card: 'operation.monitoring',
    order: 200,
    secret: true,
    writer: 'root',
  }),
  LogRetentionDays: setting({
    value: count(0, { max: 36_500 }),
    label: words('Keep the usage log for', '使用日志保留时间'),
    help: words(
      'Older rows are removed by themselves, a few at a time; charges, receipts and the sums of usage stay',
      '更早的记录会自动分批删除；费用、收据与用量汇总保留',
    ),
    zero: words('for ever', '永久保留'),
    card: 'operation.logs',
    order: 20,
    unit: units.days,
    danger: OLDER_GO,
    writer: 'proven_admin',
  }),
  'log.error_days': setting({
    value: count(0, { min: -1, max: 36_500 }),
    label: words('Keep failed calls for', '失败调用保留时间'),
    help: words('Rows of calls that failed; -1 keeps them for ever', '失败调用的记录；-1 表示永久保留'),
    zero: words('as long as the others', '与其他记录相同'),
    card: 'operation.logs',
    order: 22,
    unit: units.days,
    danger: OLDER_GO,
    writer: 'proven_admin',
  }),
  'log.event_days': setting({
    value: count(0, { min: -1, max: 36_500 }),
    label: words('Keep events of accounts for', '账户事件保留时间'),
    help: words(
      'Rows of top-ups, changes by administrators and notices; -1 keeps them for ever',
      '充值、管理员操作与系统通知的记录；-1 表示永久保留',
    ),
    zero: words('as long as the others', '与其他记录相同'),
    card: 'operation.logs',
    order: 24,
    unit: units.days,
    danger: OLDER_GO,
    writer: 'proven_admin',
  }),
  'log.slow_call_seconds': setting({
    value: count(0, { max: 86_400 }),
    label: words('Report calls slower than', '慢调用阈值'),
    help: words(
      'A call that takes this long writes a line to the log of the process, with its request id and where its time went',
      '耗时达到此值的调用会在进程日志中写入一行，包含请求 ID 与各阶段耗时',
    ),
    zero: words('never', '不记录'),
    card: 'operation.logs',
    order: 30,
    unit: units.seconds,
    writer: 'admin',
  }),
}
