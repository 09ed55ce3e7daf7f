// Settings of the site: its name, texts, address and mode of use.
import { z } from 'zod'
import { GatewayError, words } from '../errors.ts'
import type { OtherSettings, SettingValue } from './setting.ts'
import {
  address,
  choice,
  count,
  flag,
  json,
  link,
  longText,
  ownAddress,
  failWithCode,
  setting,
  text,
  settingUnits,
} from './setting.ts'
import { contrastWithWhite, MIN_TEXT_CONTRAST } from './theme-color.ts'

/** Schemes that a browser runs or opens itself; others are of programs on the reader's machine (cherrystudio://…). */
const RUN = /^(javascript|data|vbscript|blob|file|about|view-source|filesystem):/i
const ChatLink = z
  .string()
  .trim()
  .refine((url) => /^[a-z][a-z0-9+.-]*:\/\/[^\p{C}]+$/iu.test(url) && !RUN.test(url), failWithCode('setting.address'))

/** Empty, or a colour that white text can be read on. */
const themeColor = (): SettingValue<string> => ({
  ...text(),
  schema: z
    .string()
    .trim()
    .toLowerCase()
    .refine((color) => color === '' || contrastWithWhite(color) !== null, failWithCode('setting.color'))
    .refine(
      (color) => (contrastWithWhite(color) ?? MIN_TEXT_CONTRAST) >= MIN_TEXT_CONTRAST,
      failWithCode('setting.contrast'),
    ),
})

/** A site is used in one way: for oneself, as a demo, or (neither) for others. */
const notWith = (other: string) => (value: boolean, others: OtherSettings) =>
  value && others(other) === true ? new GatewayError('setting.modes') : undefined

export const siteSettings = {
  ServerAddress: setting({
    value: ownAddress(),
    label: words('Server address'),
    help: words('The public base URL of this server, without a trailing slash'),
    card: 'system.server',
    order: 10,
    public: { name: 'server_address', order: 50, meaning: 'Address of the site', example: 'https://weir.example.com' },
    writer: 'root',
  }),
  SystemName: setting({
    value: text('Weir'),
    label: words('System name'),
    help: words('Shown in the top bar, titles and mails'),
    card: 'other.content',
    order: 20,
    public: { name: 'system_name', order: 10, meaning: 'Name of the site' },
    writer: 'admin',
  }),
  Logo: setting({
    value: link({ path: true }),
    label: words('Logo'),
    help: words('Address of an image; empty for the built-in logo'),
    card: 'other.content',
    order: 30,
    public: { name: 'logo', order: 20, meaning: 'Address of the logo' },
    writer: 'admin',
  }),
  ThemeColor: setting({
    value: themeColor(),
    label: words('Theme colour'),
    help: words('Of buttons and links, as #rrggbb; white text must be readable on it. Empty for the built-in colour'),
    card: 'other.content',
    order: 35,
    public: {
      name: 'theme_color',
      order: 30,
      meaning: 'Colour of buttons and links; empty for the built-in one',
      example: '#0b7285',
    },
    writer: 'admin',
  }),
  Footer: setting({
    value: longText(),
    label: words('Footer'),
    help: words('HTML; empty for the built-in line'),
    card: 'other.content',
    order: 60,
    public: { name: 'footer_html', order: 40, meaning: 'Foot of every page' },
    writer: 'admin',
  }),
  Notice: setting({
    value: longText(),
    label: words('Notice'),
    help: words('Markdown or HTML, shown once per text'),
    card: 'other.content',
    order: 10,
    writer: 'admin',
  }),
  About: setting({
    value: longText(),
    label: words('About'),
    help: words('Markdown, HTML or an https address'),
    card: 'other.content',
    order: 50,
    writer: 'admin',
  }),
  HomePageContent: setting({
    value: longText(),
    label: words('Home page'),
    help: words('Markdown, HTML or an https address; empty for the built-in page'),
    card: 'other.content',
    order: 40,
    writer: 'admin',
  }),
  TopUpLink: setting({
    value: link(),
    label: words('Top-up link'),
    help: words('Page on which users buy redemption codes'),
    card: 'operation.general',
    order: 10,
    public: { name: 'top_up_link', order: 70, meaning: 'Where codes are sold' },
    writer: 'root',
  }),
  'general_setting.docs_link': setting({
    value: link(),
    label: words('Docs link'),
    help: words('Shown in the top bar when set'),
    card: 'operation.general',
    order: 20,
    public: { name: 'docs_link', order: 60, meaning: 'Where the documentation is' },
    writer: 'admin',
  }),
  'general_setting.release_url': setting({
    value: address(),
    label: words('Release address'),
    help: words(
      'Address from which the version check reads tag_name and body of the latest release, as JSON; empty for no check',
    ),
    card: 'other.version',
    order: 10,
    test: 'site.release',
    writer: 'root',
  }),
  Chats: setting({
    value: json(z.array(z.record(z.string(), ChatLink)), []),
    label: words('Chat links'),
    help: words('List of {label: link}; {key} and {address} in a link are filled in'),
    card: 'operation.chat',
    order: 10,
    public: { name: 'chats', order: 220, meaning: 'Names and addresses of chat pages' },
    writer: 'root',
  }),
  DefaultCollapseSidebar: setting({
    value: flag(false),
    label: words('Side menu starts collapsed'),
    help: words('For visitors who have not chosen yet'),
    card: 'operation.general',
    order: 70,
    public: { name: 'default_collapse_sidebar', order: 110, meaning: 'Does the side bar begin folded?' },
    writer: 'admin',
  }),
  DemoSiteEnabled: setting({
    value: flag(false),
    label: words('Demo site', { context: 'setting' }),
    help: words('Shows a badge'),
    card: 'operation.general',
    order: 80,
    public: { name: 'demo_site_enabled', order: 130, meaning: 'Is the site for show?' },
    writer: 'admin',
    conflict: notWith('SelfUseModeEnabled'),
    whileConflicting: () => false,
  }),
  SelfUseModeEnabled: setting({
    value: flag(false),
    label: words('Self-use mode'),
    help: words('Models without a price are accepted at ratio 37.5, and registration is hidden'),
    card: 'operation.general',
    order: 90,
    public: { name: 'self_use_mode_enabled', order: 120, meaning: 'Is the site for one person alone?' },
    writer: 'proven_admin',
  }),
  DrawingEnabled: setting({
    value: flag(true),
    label: words('Drawing'),
    help: words('Shows the drawing log'),
    card: 'operation.drawing',
    order: 10,
    public: { name: 'enable_drawing', order: 180, meaning: 'Are drawings shown?', before: false },
    writer: 'admin',
  }),
  TaskEnabled: setting({
    value: flag(true),
    label: words('Tasks'),
    help: words('Shows the task log'),
    card: 'operation.drawing',
    order: 20,
    public: { name: 'enable_task', order: 190, meaning: 'Are tasks shown?', before: false },
    writer: 'admin',
  }),
  DataExportEnabled: setting({
    value: flag(true),
    label: words('Dashboard'),
    help: words('Keeps hourly sums for the dashboard'),
    card: 'operation.dashboard',
    order: 10,
    public: { name: 'enable_data_export', order: 200, meaning: 'Is there a dashboard?', before: false },
    writer: 'admin',
  }),
  DataExportInterval: setting({
    value: count(5, { min: 1 }),
    label: words('Dashboard update interval'),
    help: words('How often hourly sums are written'),
    card: 'operation.dashboard',
    order: 20,
    unit: settingUnits.minutes,
    shownWhen: { DataExportEnabled: true },
    writer: 'admin',
  }),
  DataExportDefaultTime: setting({
    value: choice(['hour', 'day', 'week'], 'hour', [words('Hour'), words('Day'), words('Week')]),
    label: words('Dashboard granularity'),
    help: words('How the dashboard sums up at first'),
    card: 'operation.dashboard',
    order: 30,
    public: { name: 'data_export_default_time', order: 210, meaning: 'How the dashboard groups hours' },
    shownWhen: { DataExportEnabled: true },
    writer: 'admin',
  }),
}
