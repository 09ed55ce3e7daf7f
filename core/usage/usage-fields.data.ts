// Form fields of a usage query.
import type { FieldDeclaration } from '../contract/field.ts'
import { fillTemplate, words, type Words } from '../errors.ts'

const moment = (time: Words) =>
  fillTemplate(words('{time}: epoch seconds or ISO 8601, in the time zone if it has no offset'), { time })

export const usageFields = {
  from: {
    label: words('From'),
    help: moment(words('From when on, in whole quarters of an hour; the 30 days before the end without it')),
    example: '2026-01-01',
  },
  to: {
    label: words('To'),
    help: moment(words('Until when, not included; now without it')),
    example: '2026-02-01',
  },
  zone: {
    label: words('Time zone'),
    help: words('IANA name of the time zone whose clock cuts the steps; UTC without it'),
    example: 'Europe/Berlin',
  },
  step: {
    label: words('Step'),
    help: words('How time is cut: hour, day, week (from Monday), month, or total for not at all'),
    example: 'day',
  },
  by: {
    label: words('By'),
    help: words('Dimensions in addition to time, separated by commas: user, token, team, group, model, channel; for users their own by token, team, group and model'),
    example: 'model',
  },
  user: {
    label: words('User'),
    help: words('Only of this user, by id or name'),
    example: 'ada',
  },
  token: {
    label: words('Token'),
    help: words('Only of this token, by id or name'),
    example: 'my program',
  },
  team: {
    label: words('Team'),
    help: words('Only of tokens of this team, by id or name'),
    example: 'crew',
  },
  group: {
    label: words('Group'),
    help: words('Only of calls in this group'),
    example: 'default',
  },
  model: {
    label: words('Model'),
    help: words('Only of this model'),
    example: 'gpt-4.1-mini',
  },
  channel: {
    label: words('Channel'),
    help: words('Only by this channel, by id or name'),
    example: 'OpenAI',
  },
  order: {
    label: words('Order', { context: 'sort' }),
    help: words('Order of the groups, largest first: quota, calls, tokens, errors or cost'),
    example: 'quota',
  },
  limit: {
    label: words('Groups at most'),
    help: words('Maximum number of groups: the largest ones in the whole range, each in all of its steps'),
    example: 10,
  },
  times: {
    label: words('Times'),
    help: words('Include the durations of calls'),
    example: true,
  },
  course: {
    label: words('Course'),
    help: words('Include the sums of all groups in each step'),
    example: true,
  },
  previous: {
    label: words('Previous period'),
    help: words('Include the total of the period before, which is as long'),
    example: true,
  },
  fewer: {
    label: words('Also where the log knows fewer'),
    help: words('Also hours of which the log knows fewer calls than were counted, as where it was cleaned up'),
    example: false,
  },
} as const satisfies Record<string, FieldDeclaration>
