<?php
require __DIR__ . '/ofage_webhook.php';
while (($line = fgets(STDIN)) !== false) {
    [$body, $signature, $secrets] = explode(' ', trim($line, "\n"));
    $list = array_map('base64_decode', explode(',', $secrets));
    try {
        echo is_from_ofage(base64_decode($body), base64_decode($signature), $list) ? 'true' : 'false', "\n";
    } catch (Throwable $error) {
        echo "error\n";
    }
}
