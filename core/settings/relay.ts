// Settings of the relay: retries, time limits, keep-alive.
import { count, flag, setting } from './setting.ts'

const section = 'relay'

export const relay = {
  RetryTimes: setting({
    value: count(2, { max: 20 }),
    label: 'Retries',
    help: 'How many further channels a failing call may try',
    section,
  }),
  'relay.idle_timeout_seconds': setting({
    value: count(120, { min: 1, max: 3600 }),
    label: 'Longest silence',
    help: 'An upstream that sends nothing for this long is given up',
    section,
    unit: 'seconds',
  }),
  'relay.max_body_megabytes': setting({
    value: count(32, { min: 1, max: 1024 }),
    label: 'Largest request body',
    help: 'Bigger requests are refused',
    section,
    unit: 'MiB',
  }),
  'general_setting.ping_interval_enabled': setting({
    value: flag(false),
    label: 'Keep-alive pings',
    help: 'Open streams get a comment line now and then, so that proxies do not close them',
    section,
  }),
  'general_setting.ping_interval_seconds': setting({
    value: count(60, { min: 1, max: 3600 }),
    label: 'Ping interval',
    help: 'Time between two pings',
    section,
    unit: 'seconds',
  }),
}
