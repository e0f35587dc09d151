#!/bin/sh
# Makes src/main/resources/dev/millrace/app/demo/clip.mp4: ten seconds of a test pattern with a
# moving counter and a soft tone, H.264 baseline and AAC, index first. Everything in it is
# generated, so it belongs to the project. Needs ffmpeg with libx264.
set -eu
cd "$(dirname "$0")/../resources/dev/millrace/app/demo"
exec ffmpeg -hide_banner -loglevel error -y \
  -f lavfi -i 'testsrc=size=480x270:rate=25:duration=10' \
  -f lavfi -i 'sine=frequency=440:sample_rate=44100:duration=10' \
  -map 0:v -map 1:a -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
  -c:v libx264 -profile:v baseline -level 3.0 -pix_fmt yuv420p -preset veryslow -crf 26 \
  -g 50 -keyint_min 50 -sc_threshold 0 -threads 1 \
  -c:a aac -b:a 64k -ac 1 -af volume=0.2 \
  -movflags +faststart clip.mp4
