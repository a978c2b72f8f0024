import * as client from '@svc-admin/client'
import * as openapiFetch from '@svc-admin/client/openapi-fetch'
import { run } from './scenario.mjs'

console.log(JSON.stringify(await run(client, openapiFetch, JSON.parse(process.argv[2]))))
