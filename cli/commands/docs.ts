// `weir docs`: the reference pages, made from the declarations.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { asData, concatTexts } from '../language.ts'
import { topics, type Page } from '../reference/page.ts'
import type { Hit } from '../reference/search.ts'
import { words } from '../texts.ts'
import { count, text, type View } from '../view.ts'

const pageView: View<Pick<Page, 'topic' | 'summary'>> = {
  topic: text(words('TOPIC'), 1, ({ topic }) => topic, { tone: () => 'strong' }),
  summary: text(words('WHAT IT SAYS'), 1, ({ summary }) => summary.en, {
    flexible: true,
    shown: ({ summary }, { language }) => summary[language],
  }),
}

const hitView: View<Hit> = {
  topic: text(words('TOPIC'), 2, ({ topic }) => topic, { tone: () => 'strong' }),
  heading: text(words('UNDER'), 1, ({ heading }) => heading, { flexible: true }),
  line: count(words('LINE'), 3, ({ line }) => line),
  text: text(words('TEXT'), 1, (hit) => hit.text, { flexible: true }),
  command: text(words('READ IT WITH'), 1, ({ command: shows }) => shows),
}

export const docs = command({
  name: 'docs',
  readOnly: true,
  output: { view: hitView, many: true },
  summary: fillTemplate(words('Print a reference page as Markdown, or search all of them: {topics}'), {
    topics: joinList(topics),
  }),
  details: concatTexts([
    words('Examples:'),
    asData('  weir docs settings'),
    asData('  weir docs --search "retry"'),
    asData('  weir docs commands --search topup'),
  ]),
  arguments: {
    topic: { spec: '[topic]', help: words('the page; without it the list of pages') },
  },
  options: {
    search: {
      flag: '--search <words>',
      help: words('the lines that have all these words, in either language, of this page or of all'),
    },
  },
  async run({ print, args, options, commands, language }) {
    const { topic } = args
    const { search } = options
    if (topic !== undefined && !(topics as readonly string[]).includes(topic))
      throw new UsageError(
        fillTemplate(words('Unknown page {topic}: choose one of {topics}.'), { topic, topics: joinList(topics) }),
      )
    const { pages } = await import('../reference/index.ts')
    const chosen = pages.filter((page) => topic === undefined || page.topic === topic)
    if (search !== undefined) {
      if (search.trim() === '') throw new UsageError(words('--search needs a word.'))
      const { searchPages } = await import('../reference/search.ts')
      return print.list(searchPages(chosen, search, commands, language), hitView, {
        empty: fillTemplate(words('No page has "{search}".'), { search }),
      })
    }
    const [page] = chosen
    if (topic === undefined || !page) return print.list(chosen, pageView)
    const markdown = page.write(commands, language)
    await print.text(markdown, { topic: page.topic, markdown })
  },
})
