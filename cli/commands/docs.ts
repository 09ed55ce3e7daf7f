// `weir docs`: the reference pages, made from the declarations.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { asUntranslatedText, concatTexts } from '../language.ts'
import { referenceTopics, type ReferencePage } from '../reference/page.ts'
import type { ReferenceHit } from '../reference/search.ts'
import { words } from '../texts.ts'
import { count, text, type OutputView } from '../output/view.ts'

const pageView: OutputView<Pick<ReferencePage, 'topic' | 'summary'>> = {
  topic: text(words('TOPIC'), 1, ({ topic }) => topic, { tone: () => 'strong' }),
  summary: text(words('CONTENT'), 1, ({ summary }) => summary.en, {
    flexible: true,
    shown: ({ summary }, { language }) => summary[language],
  }),
}

const hitView: OutputView<ReferenceHit> = {
  topic: text(words('TOPIC'), 2, ({ topic }) => topic, { tone: () => 'strong' }),
  heading: text(words('UNDER'), 1, ({ heading }) => heading, { flexible: true }),
  line: count(words('LINE'), 3, ({ line }) => line),
  text: text(words('TEXT'), 1, (hit) => hit.text, { flexible: true }),
  command: text(words('READ IT WITH'), 1, ({ command: shows }) => shows),
}

export const docsCommand = command({
  name: 'docs',
  readOnly: true,
  output: { view: hitView, many: true },
  summary: fillTemplate(words('Print a reference page as Markdown, or search all of them: {topics}'), {
    topics: joinList(referenceTopics),
  }),
  details: concatTexts([
    words('Examples:'),
    asUntranslatedText('  weir docs settings'),
    asUntranslatedText('  weir docs --search "retry"'),
    asUntranslatedText('  weir docs commands --search topup'),
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
    if (topic !== undefined && !(referenceTopics as readonly string[]).includes(topic))
      throw new UsageError(
        fillTemplate(words('Unknown page {topic}: choose one of {topics}.'), {
          topic,
          topics: joinList(referenceTopics),
        }),
      )
    const { referencePages: pages } = await import('../reference/index.ts')
    const chosen = pages.filter((page) => topic === undefined || page.topic === topic)
    if (search !== undefined) {
      if (search.trim() === '') throw new UsageError(words('--search needs a word.'))
      const { searchReferencePages: searchPages } = await import('../reference/search.ts')
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
