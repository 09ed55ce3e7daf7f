// Settings of the site: its name, texts, address and mode of use.
import { z } from 'zod'
import { address, choice, count, flag, json, longText, setting, text } from './setting.ts'

const section = 'site'

export const site = {
  ServerAddress: setting({
    value: address(),
    label: 'Server address',
    help: 'The public base URL of this server, without a trailing slash',
    section,
  }),
  SystemName: setting({
    value: text('Weir'),
    label: 'System name',
    help: 'Shown in the top bar, titles and mails',
    section,
  }),
  Logo: setting({ value: text(), label: 'Logo', help: 'Address of an image; empty for the built-in logo', section }),
  Footer: setting({ value: longText(), label: 'Footer', help: 'HTML; empty for the built-in line', section }),
  Notice: setting({ value: longText(), label: 'Notice', help: 'Markdown or HTML, shown once per text', section }),
  About: setting({ value: longText(), label: 'About', help: 'Markdown, HTML or an https address', section }),
  HomePageContent: setting({
    value: longText(),
    label: 'Home page',
    help: 'Markdown, HTML or an https address; empty for the built-in page',
    section,
  }),
  TopUpLink: setting({
    value: text(),
    label: 'Top-up link',
    help: 'Where users buy redemption codes',
    section,
    rootOnly: true,
  }),
  'general_setting.docs_link': setting({
    value: text(),
    label: 'Docs link',
    help: 'Shown in the top bar when set',
    section,
  }),
  'general_setting.release_url': setting({
    value: address(),
    label: 'Release address',
    help: 'Where the version check reads tag_name and body of the latest release, as JSON; empty for no check',
    section,
  }),
  Chats: setting({
    value: json(z.array(z.record(z.string(), z.string())), []),
    label: 'Chat links',
    help: 'List of {label: link}; {key} and {address} in a link are filled in',
    section,
  }),
  DefaultCollapseSidebar: setting({
    value: flag(false),
    label: 'Side menu starts collapsed',
    help: 'For visitors who have not chosen yet',
    section,
  }),
  DemoSiteEnabled: setting({ value: flag(false), label: 'Demo site', help: 'Shows a badge', section }),
  SelfUseModeEnabled: setting({
    value: flag(false),
    label: 'Self-use mode',
    help: 'Models without a price are accepted at ratio 37.5, and registration is hidden',
    section,
  }),
  DrawingEnabled: setting({ value: flag(true), label: 'Drawing', help: 'Shows the drawing log', section }),
  TaskEnabled: setting({ value: flag(true), label: 'Tasks', help: 'Shows the task log', section }),
  DataExportEnabled: setting({
    value: flag(true),
    label: 'Dashboard',
    help: 'Keeps hourly sums for the dashboard',
    section,
  }),
  DataExportInterval: setting({
    value: count(5, { min: 1 }),
    label: 'Dashboard update interval',
    help: 'How often hourly sums are written',
    section,
    unit: 'minutes',
  }),
  DataExportDefaultTime: setting({
    value: choice(['hour', 'day', 'week'], 'hour'),
    label: 'Dashboard granularity',
    help: 'How the dashboard sums up at first',
    section,
  }),
}
