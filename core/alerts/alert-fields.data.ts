// The fields of alert rules, as operators fill them in.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { ALERT_KINDS, ruleKinds } from './rule-kinds.ts'

const MINUTES = words('minutes', '分钟')

export const alertFields = {
  id: { label: words('Number', '编号'), help: words('Number of the rule', '规则的编号'), example: 3 },
  name: {
    label: words('Name', '名称'),
    help: words('The first line of the notification', '收到告警的人首先看到的名称'),
    example: 'Errors of gpt-4.1',
  },
  kind: {
    label: words('What', '监测内容'),
    help: words('The condition that the rule watches', '要监测的内容'),
    choices: ALERT_KINDS.map((kind) => ruleKinds[kind].title),
    example: 'error_rate',
  },
  enabled: {
    label: words('In use', '启用'),
    help: words('Whether the rule sends notifications', '是否按此规则告警'),
    example: true,
  },
  threshold: {
    label: words('Threshold', '阈值'),
    help: words(
      'Percent of calls or of the disk, dollars, charges, accounts, days or seconds, depending on the condition',
      '调用或磁盘的百分比、美元、笔数、账户数、天数或秒数，取决于监测内容',
    ),
    example: 20,
  },
  minutes: {
    label: words('Window', '时间窗口'),
    help: words(
      'Over how long errors and spend are summed up, in whole quarters of an hour',
      '错误与消费的统计时长，按整刻钟计',
    ),
    unit: MINUTES,
    example: 60,
  },
  least: {
    label: words('Calls at least', '最少调用次数'),
    help: words('With fewer calls in the window, errors are not reported', '窗口内少于该次数的调用不用于判断错误率'),
    example: 20,
  },
  model: {
    label: words('Model', '模型'),
    help: words('Calls of this model alone; empty for all', '仅统计该模型的调用；留空表示全部'),
    example: 'gpt-4.1',
  },
  channel: {
    label: words('Channel', '渠道'),
    help: words('Number of the only channel that is checked', '仅监测的渠道编号'),
    zero: words('all', '全部'),
    example: 4,
  },
  group: {
    label: words('Group', '分组'),
    help: words('Calls in this group alone; empty for all', '仅统计该分组的调用；留空表示全部'),
    example: 'default',
  },
  root: {
    label: words('Super administrator', '超级管理员'),
    help: words('Notify the super administrator in the way they chose', '按超级管理员选择的方式通知'),
    flag: 'root',
    example: true,
  },
  mails: {
    label: words('E-mail addresses', '邮箱地址'),
    help: words('Recipients by email, separated by commas', '接收告警的邮箱，以逗号分隔'),
    kind: 'list',
    example: 'ops@example.com',
  },
  webhook_url: {
    label: words('Webhook URL', 'Webhook 地址'),
    help: words('Address that alerts are posted to; empty for none', '接收告警的地址；留空则不发送'),
    kind: 'address',
    protocols: ['https', 'http'],
    example: 'https://example.com/alerts',
  },
  webhook_format: {
    label: words('Webhook format', 'Webhook 格式'),
    help: words(
      "Format of the posted message: Weir's signed JSON, or a message for a group robot of the service that the address belongs to",
      '发送的内容：Weir 的带签名 JSON，或该地址所属服务的群机器人消息',
    ),
    choices: [
      words('Weir (JSON)', 'Weir（JSON）'),
      words('Feishu (Lark)', '飞书（Lark）'),
      words('DingTalk', '钉钉'),
      words('WeCom', '企业微信'),
      words('Slack', 'Slack'),
      words('Discord', 'Discord'),
    ],
    example: 'weir',
  },
  webhook_secret: {
    label: words('Webhook secret', 'Webhook 密钥'),
    help: words(
      'Signs what is posted (HMAC-SHA256, in x-webhook-signature, or as Feishu and DingTalk require; the other robots have none); left out it stays as it is',
      '用于签名发送的内容（HMAC-SHA256，见 x-webhook-signature，飞书与钉钉则按其要求；其他机器人没有密钥）；未填写则保持不变',
    ),
    kind: 'secret',
    example: 'a secret',
  },
  language: {
    label: words('Language', '语言'),
    help: words('Language of the notification', '告警所用的语言'),
    choices: [words('both', '双语'), words('English', '英文'), words('Chinese', '中文')],
    example: 'both',
  },
  quiet_minutes: {
    label: words('Quiet time', '静默时间'),
    help: words('Interval between repeated notifications while the condition lasts', '持续期间每隔该时长重复告警'),
    unit: MINUTES,
    zero: words('once', '仅一次'),
    example: 240,
  },
  days: {
    label: words('Days', '天数'),
    help: words('Period that is checked, at most 30', '回看的天数，最多 30'),
    example: 7,
  },
} as const satisfies Record<string, Field>
