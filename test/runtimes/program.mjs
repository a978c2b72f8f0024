import * as client from '@svc-admin/client'
import { run } from './scenario.mjs'

console.log(JSON.stringify(await run(client, JSON.parse(process.argv[2]))))
