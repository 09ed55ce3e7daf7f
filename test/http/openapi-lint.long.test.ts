// What the linter of OpenAPI documents says of ours.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'

describeWithGateway('the OpenAPI document', (weir) => {
  it('has no error that the linter knows of', async () => {
    const source = await (await fetch(`${weir.url}/api/openapi.json`)).text()
    const problems = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) })
    expect(problems.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  })
})
