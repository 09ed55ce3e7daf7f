// `weir docs`: the reference pages, made from the declarations.
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { inLanguage } from '../language.ts'
import { topics } from '../reference/page.ts'

export const docs = command({
  name: 'docs',
  summary: `Print a reference page as Markdown: ${topics.join(', ')}`,
  arguments: { topic: { spec: '[topic]', help: 'the page; without it the list of pages' } },
  async run({ print, args, commands, language }) {
    const { pages } = await import('../reference/index.ts')
    if (args.topic === undefined) {
      return print.rows(
        pages.map(({ topic, summary }) => ({ topic, summary })),
        [
          { title: 'TOPIC', rank: 1, value: ({ topic }) => topic, tone: () => 'strong' },
          { title: 'WHAT IT SAYS', rank: 1, flexible: true, value: ({ summary }) => inLanguage(summary, language) },
        ],
        { empty: '' },
      )
    }
    const page = pages.find(({ topic }) => topic === args.topic)
    if (!page) throw new UsageError(`There is no page ${args.topic}: choose one of ${topics.join(', ')}.`)
    const markdown = page.write(commands, language)
    await print.text(markdown, { topic: page.topic, markdown })
  },
})
