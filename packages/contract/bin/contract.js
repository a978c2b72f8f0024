#!/usr/bin/env node
// This file is executable and is committed, because npm links the command before the build.
import '../dist/main.js'
