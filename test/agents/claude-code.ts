// Claude Code, by Anthropic.
import type { Json } from '../support/json.ts'
import { callOf, jsonLines, sum, type Agent } from './agent.ts'

export const claudeCode: Agent = {
  name: 'Claude Code',
  install: '@anthropic-ai/claude-code@2.1.332',
  command: 'claude',
  speaks: 'Messages',
  start: ({ url, key, model, home, led }, prompt) => ({
    args: [
      '-p',
      prompt,
      ...(led ? [] : ['--model', model]),
      '--output-format',
      'stream-json',
      '--verbose',
      '--allowedTools',
      'Read,Write',
    ],
    env: {
      ...(led
        ? {}
        : {
            ANTHROPIC_BASE_URL: url,
            ANTHROPIC_AUTH_TOKEN: key,
            ANTHROPIC_SMALL_FAST_MODEL: model,
            ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
          }),
      CLAUDE_CONFIG_DIR: `${home}/.claude`,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
  }),
  read: (asked, file) => callOf(asked, 'Read', { file_path: file }),
  write: (asked, file, content) => callOf(asked, 'Write', { file_path: file, content }),
  heard(stdout) {
    const result = jsonLines(stdout).find(({ type }) => type === 'result')
    if (!result || result.is_error)
      throw new Error(`Claude Code gave no result: ${result?.result ?? stdout.slice(-500)}`)
    const models: Json[] = Object.values(result.modelUsage)
    const cached = sum(models.map(({ cacheReadInputTokens }) => cacheReadInputTokens))
    const written = sum(models.map(({ cacheCreationInputTokens }) => cacheCreationInputTokens))
    const prompt = sum(models.map(({ inputTokens }) => inputTokens)) + cached + written
    return {
      text: result.result,
      reported: { prompt, cached, completion: sum(models.map(({ outputTokens }) => outputTokens)) },
    }
  },
}
