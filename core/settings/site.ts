// Settings of the site: its name, texts, address and mode of use.
import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import { address, choice, count, flag, json, link, longText, refused, setting, text, type Others } from './setting.ts'

const section = 'site'

/** Schemes that a browser runs or opens itself; others are of programs on the reader's machine (cherrystudio://…). */
const RUN = /^(javascript|data|vbscript|blob|file|about|view-source|filesystem):/i
const ChatLink = z
  .string()
  .trim()
  .refine((url) => /^[a-z][a-z0-9+.-]*:\/\/[^\p{C}]+$/iu.test(url) && !RUN.test(url), refused('setting.address'))

/** A site is used in one way: for oneself, as a demo, or (neither) for others. */
const notWith = (other: string) => (value: boolean, others: Others) =>
  value && others(other) === true ? new GatewayError('setting.modes') : undefined

export const siteSettings = {
  ServerAddress: setting({
    value: address(),
    label: 'Server address',
    help: 'The public base URL of this server, without a trailing slash',
    section,
    writer: 'root',
  }),
  SystemName: setting({
    value: text('Weir'),
    label: 'System name',
    help: 'Shown in the top bar, titles and mails',
    section,
    writer: 'admin',
  }),
  Logo: setting({
    value: link({ path: true }),
    label: 'Logo',
    help: 'Address of an image; empty for the built-in logo',
    section,
    writer: 'admin',
  }),
  Footer: setting({
    value: longText(),
    label: 'Footer',
    help: 'HTML; empty for the built-in line',
    section,
    writer: 'admin',
  }),
  Notice: setting({
    value: longText(),
    label: 'Notice',
    help: 'Markdown or HTML, shown once per text',
    section,
    writer: 'admin',
  }),
  About: setting({
    value: longText(),
    label: 'About',
    help: 'Markdown, HTML or an https address',
    section,
    writer: 'admin',
  }),
  HomePageContent: setting({
    value: longText(),
    label: 'Home page',
    help: 'Markdown, HTML or an https address; empty for the built-in page',
    section,
    writer: 'admin',
  }),
  TopUpLink: setting({
    value: link(),
    label: 'Top-up link',
    help: 'Where users buy redemption codes',
    section,
    writer: 'root',
  }),
  'general_setting.docs_link': setting({
    value: link(),
    label: 'Docs link',
    help: 'Shown in the top bar when set',
    section,
    writer: 'admin',
  }),
  'general_setting.release_url': setting({
    value: address(),
    label: 'Release address',
    help: 'Where the version check reads tag_name and body of the latest release, as JSON; empty for no check',
    section,
    writer: 'root',
  }),
  Chats: setting({
    value: json(z.array(z.record(z.string(), ChatLink)), []),
    label: 'Chat links',
    help: 'List of {label: link}; {key} and {address} in a link are filled in',
    section,
    writer: 'root',
  }),
  DefaultCollapseSidebar: setting({
    value: flag(false),
    label: 'Side menu starts collapsed',
    help: 'For visitors who have not chosen yet',
    section,
    writer: 'admin',
  }),
  DemoSiteEnabled: setting({
    value: flag(false),
    label: 'Demo site',
    help: 'Shows a badge',
    section,
    writer: 'admin',
    conflict: notWith('SelfUseModeEnabled'),
  }),
  SelfUseModeEnabled: setting({
    value: flag(false),
    label: 'Self-use mode',
    help: 'Models without a price are accepted at ratio 37.5, and registration is hidden',
    section,
    writer: 'proven_admin',
  }),
  DrawingEnabled: setting({
    value: flag(true),
    label: 'Drawing',
    help: 'Shows the drawing log',
    section,
    writer: 'admin',
  }),
  TaskEnabled: setting({ value: flag(true), label: 'Tasks', help: 'Shows the task log', section, writer: 'admin' }),
  DataExportEnabled: setting({
    value: flag(true),
    label: 'Dashboard',
    help: 'Keeps hourly sums for the dashboard',
    section,
    writer: 'admin',
  }),
  DataExportInterval: setting({
    value: count(5, { min: 1 }),
    label: 'Dashboard update interval',
    help: 'How often hourly sums are written',
    section,
    writer: 'admin',
    unit: 'minutes',
  }),
  DataExportDefaultTime: setting({
    value: choice(['hour', 'day', 'week'], 'hour'),
    label: 'Dashboard granularity',
    help: 'How the dashboard sums up at first',
    section,
    writer: 'admin',
  }),
}
