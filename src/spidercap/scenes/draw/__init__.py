"""Drawing scenes with Pillow: things as shapes in metres, light and shade per thing, a camera, a place behind."""
