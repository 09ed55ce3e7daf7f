// The fields of alert rules, as operators fill them in.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'
import { ALERT_KIND_NAMES, alertRuleKinds } from './rule-kinds.ts'

const MINUTES = words('minutes')

export const alertFields = {
  id: { label: words('Number'), help: words('Number of the rule'), example: 3 },
  name: {
    label: words('Name'),
    help: words('The first line of the notification'),
    example: 'Errors of gpt-4.1',
  },
  kind: {
    label: words('What'),
    help: words('The condition that the rule watches'),
    choices: ALERT_KIND_NAMES.map((kind) => alertRuleKinds[kind].title),
    example: 'error_rate',
  },
  enabled: {
    label: words('In use'),
    help: words('Whether the rule sends notifications'),
    example: true,
  },
  threshold: {
    label: words('Threshold'),
    help: words('Percent of calls or of the disk, dollars, charges, accounts, days or seconds, depending on the condition'),
    example: 20,
  },
  minutes: {
    label: words('Window'),
    help: words('Over how long errors and spend are summed up, in whole quarters of an hour'),
    unit: MINUTES,
    example: 60,
  },
  least: {
    label: words('Calls at least'),
    help: words('With fewer calls in the window, errors are not reported'),
    example: 20,
  },
  model: {
    label: words('Model'),
    help: words('Calls of this model alone; empty for all'),
    example: 'gpt-4.1',
  },
  channel: {
    label: words('Channel'),
    help: words('Number of the only channel that is checked'),
    zero: words('all'),
    example: 4,
  },
  group: {
    label: words('Group'),
    help: words('Calls in this group alone; empty for all'),
    example: 'default',
  },
  root: {
    label: words('Super administrator'),
    help: words('Notify the super administrator in the way they chose'),
    flag: 'root',
    example: true,
  },
  mails: {
    label: words('E-mail addresses'),
    help: words('Recipients by email, separated by commas'),
    kind: 'list',
    example: 'ops@example.com',
  },
  webhook_url: {
    label: words('Webhook URL'),
    help: words('Address that alerts are posted to; empty for none'),
    kind: 'address',
    protocols: ['https', 'http'],
    example: 'https://example.com/alerts',
  },
  webhook_format: {
    label: words('Webhook format'),
    help: words("Format of the posted message: Weir's signed JSON, or a message for a group robot of the service that the address belongs to"),
    choices: [
      words('Weir (JSON)'),
      words('Feishu (Lark)'),
      words('DingTalk'),
      words('WeCom'),
      words('Slack'),
      words('Discord'),
    ],
    example: 'weir',
  },
  webhook_secret: {
    label: words('Webhook secret'),
    help: words('Signs what is posted (HMAC-SHA256, in x-webhook-signature, or as Feishu and DingTalk require; the other robots have none); left out it stays as it is'),
    kind: 'secret',
    example: 'a secret',
  },
  language: {
    label: words('Language'),
    help: words('Language of the notification'),
    choices: [words('both'), words('English'), words('Chinese')],
    example: 'both',
  },
  quiet_minutes: {
    label: words('Quiet time'),
    help: words('Interval between repeated notifications while the condition lasts'),
    unit: MINUTES,
    zero: words('once'),
    example: 240,
  },
  days: {
    label: words('Days'),
    help: words('Period that is checked, at most 30'),
    example: 7,
  },
} as const satisfies Record<string, FieldDeclaration>
