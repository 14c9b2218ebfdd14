tg_modules_build() { TG_MODULES=$TG_BUILD/$1; [ "$3" != patched ] || [ -e $TG_MODULES/nouveau.ko ] || tg_die "no patched nouveau"; }
