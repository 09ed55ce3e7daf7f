// `weir docs`: the reference pages, made from the declarations.
import { words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { asData, concatTexts } from '../language.ts'
import { topics, type Page } from '../reference/page.ts'
import type { Hit } from '../reference/search.ts'
import { count, text, type View } from '../view.ts'

const pageView: View<Pick<Page, 'topic' | 'summary'>> = {
  topic: text(words('TOPIC', '主题'), 1, ({ topic }) => topic, { tone: () => 'strong' }),
  summary: text(words('WHAT IT SAYS', '内容'), 1, ({ summary }) => summary.en, {
    flexible: true,
    shown: ({ summary }, { language }) => summary[language],
  }),
}

const hitView: View<Hit> = {
  topic: text(words('TOPIC', '主题'), 2, ({ topic }) => topic, { tone: () => 'strong' }),
  heading: text(words('UNDER', '位置'), 1, ({ heading }) => heading, { flexible: true }),
  line: count(words('LINE', '行'), 3, ({ line }) => line),
  text: text(words('TEXT', '文本'), 1, (hit) => hit.text, { flexible: true }),
  command: text(words('READ IT WITH', '阅读命令'), 1, ({ command: shows }) => shows),
}

export const docs = command({
  name: 'docs',
  readOnly: true,
  output: { view: hitView, many: true },
  summary: words(
    `Print a reference page as Markdown, or search all of them: ${topics.join(', ')}`,
    `以 Markdown 输出参考页，或搜索全部参考页：${topics.join('、')}`,
  ),
  details: concatTexts([
    words('Examples:', '示例：'),
    asData('  weir docs settings'),
    asData('  weir docs --search "retry"'),
    asData('  weir docs commands --search topup'),
  ]),
  arguments: {
    topic: { spec: '[topic]', help: words('the page; without it the list of pages', '页面；不带则列出全部页面') },
  },
  options: {
    search: {
      flag: '--search <words>',
      help: words(
        'the lines that have all these words, in either language, of this page or of all',
        '含有全部这些词的行（中英文均可），限此页或全部页面',
      ),
    },
  },
  async run({ print, args, options, commands, language }) {
    const { topic } = args
    const { search } = options
    if (topic !== undefined && !(topics as readonly string[]).includes(topic))
      throw new UsageError(
        words(
          `Unknown page ${topic}: choose one of ${topics.join(', ')}.`,
          `没有页面 ${topic}：可选 ${topics.join('、')}。`,
        ),
      )
    const { pages } = await import('../reference/index.ts')
    const chosen = pages.filter((page) => topic === undefined || page.topic === topic)
    if (search !== undefined) {
      if (search.trim() === '') throw new UsageError(words('--search needs a word.', '--search 需要一个词。'))
      const { searchPages } = await import('../reference/search.ts')
      return print.list(searchPages(chosen, search, commands, language), hitView, {
        empty: words(`No page has "${search}".`, `没有页面含有 "${search}"。`),
      })
    }
    const [page] = chosen
    if (topic === undefined || !page) return print.list(chosen, pageView)
    const markdown = page.write(commands, language)
    await print.text(markdown, { topic: page.topic, markdown })
  },
})
