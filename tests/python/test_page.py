# SPDX-License-Identifier: BSD-3-Clause
"""report.html in a real browser, without network: numbers, keys, clicks, hostile names, speed."""

import copy
import math
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import report_fixture as fixture  # noqa: E402

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The processor draws all, WebGL too: the test needs no graphics card.
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
SECTIONS = [
    "verdict",
    "scene",
    "efforts",
    "states",
    "friction",
    "parameters",
    "inertias",
    "correlations",
    "undetermined",
    "forces",
    "energy",
    "residuals",
    "model-error",
    "convergence",
    "log-quality",
    "provenance",
]
MOST_FRAME_MS = 50


def find_template():
    named = os.environ.get("BAYESID_PAGE")
    places = (
        [pathlib.Path(named)]
        if named
        else [
            ROOT / "build" / "page" / "report_template.html",
            ROOT / "build" / "dev" / "page" / "report_template.html",
        ]
    )
    return next((place for place in places if place.is_file()), None)


def setUpModule():
    global browser, driver, template
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
    if program is None:
        raise unittest.SkipTest("no Chromium on the PATH: the page is not tested")
    if sync_playwright is None:
        raise unittest.SkipTest("playwright of requirements-dev.txt is not installed: the page is not tested")
    place = find_template()
    if place is None:
        raise unittest.SkipTest("report_template.html is not built (target page): the page is not tested")
    template = place.read_text(encoding="utf-8")
    if "uplot" not in template:
        raise unittest.SkipTest("the libraries of the page could not be fetched: the plain page is not tested")
    driver = sync_playwright().start()
    browser = driver.chromium.launch(executable_path=program, args=FLAGS)


def tearDownModule():
    browser.close()
    driver.stop()


def rounded(x, digits=4):
    """format.js: number()"""
    if x is None or not math.isfinite(x):
        return "—"
    value = float(f"{x:.{digits - 1}e}")
    return value


def shown(text):
    """Number of a cell's text."""
    return float(text.replace("−", "-").replace(" %", "").replace(" σ", "").replace("∞", "inf"))


class PageTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.expect_errors = False
        self.problems, self.requests = [], []

    def open(self, *results, width=1280, dark=False, **options):
        path = pathlib.Path(self.folder.name) / "report.html"
        path.write_text(fixture.make_html(template, list(results), **options), encoding="utf-8")
        self.size = path.stat().st_size
        context = browser.new_context(
            offline=True, viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        self.addCleanup(context.close)
        self.page = context.new_page()
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        start = time.perf_counter()
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("section, .missing")
        self.opened = time.perf_counter() - start
        return self.page

    def note(self, message):
        # Without a graphics card Chromium complains of its own compositor.
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:
            self.problems.append(message.text)

    def tearDown(self):
        outside = [url for url in self.requests if not url.startswith(("file://", "data:", "blob:"))]
        self.assertEqual(outside, [])
        self.assertEqual([url for url in self.requests if url.startswith("file://")][1:], [])
        if not self.expect_errors:
            self.assertEqual(self.problems, [])

    def evaluate(self, script, argument=None):
        return self.page.evaluate(script, argument)

    def wait(self, script, seconds=20):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if self.evaluate(script):
                return
            self.page.wait_for_timeout(30)
        self.fail(f"never true: {script}")

    def scroll_to(self, section):
        self.evaluate("id => document.getElementById(id).scrollIntoView({behavior: 'instant'})", section)

    def chart(self, section="efforts", index=0):
        """First chart of a section, drawn."""
        self.scroll_to(section)
        self.wait(f"!!document.querySelectorAll('#{section} .plot')[{index}]?.chart")
        return self.page.locator(f"#{section} .plot").nth(index)

    def span(self):
        return self.evaluate("bayesid.get('span')")

    def cells(self, table, column):
        return self.evaluate(
            "([id, i]) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => row.children[i].dataset.value ?? row.children[i].textContent)",
            [table, column],
        )


class Loading(PageTest):
    def test_all_sections_of_an_arm_are_drawn_offline_and_in_order(self):
        page = self.open(fixture.make_result())
        self.assertEqual(
            self.evaluate("[...document.querySelectorAll('main > section')].map((one) => one.id)"), SECTIONS
        )
        for section in SECTIONS:
            self.scroll_to(section)
            page.wait_for_timeout(60)
        self.assertEqual(page.locator("section:not(#forces) .missing").count(), 0)

    def test_the_verdict_is_in_the_order_of_severity_with_words(self):
        result = fixture.make_result()
        page = self.open(result)
        self.assertEqual(page.locator(".severity .word").all_text_contents(), ["Error", "Warning", "OK", "OK"])
        self.assertEqual(
            sorted(page.locator(".severity p").all_text_contents()),
            sorted(item["text"] for item in result["document"]["verdict"]),
        )

    def test_quadruped_with_two_logs_forces_and_cones(self):
        page = self.open(fixture.make_quadruped(), title="quadruped")
        for section in SECTIONS:
            self.scroll_to(section)
            page.wait_for_timeout(60)
        self.assertEqual(page.locator(".missing").count(), 0)
        self.chart()
        page.locator("#timebar select").nth(1).select_option("1")
        self.wait("bayesid.get('trajectory') === 1 && bayesid.get('time') === 5")
        self.chart()  # the second log has times of its own, from 5 s

    def test_four_bar_without_shapes_and_with_a_mesh(self):
        pictures = []
        for has_mesh in (False, True):
            result = fixture.make_four_bar()
            if has_mesh:
                result["scene"]["meshes"] = [fixture.tetrahedron(0.1)]
                result["scene"]["links"][1]["visuals"] = [
                    {"type": "mesh", "mesh": 0, "scale": [1, 1, 2], "origin": [0, 0, 0.1, 0, 0, 0, 1]}
                ]
            page = self.open(result, title="four-bar")
            self.scroll_to("scene")
            self.wait("!!document.querySelector('.view-frame').view?.motion")
            page.wait_for_timeout(300)
            pictures.append(self.evaluate("document.querySelector('canvas.view').toDataURL()"))
            self.assertIn("crank.stl", page.locator("#scene").text_content())
            self.chart("forces")
            self.assertIn("loop: force", page.locator("#forces").text_content())
            self.requests.clear()
        self.assertGreater(min(map(len, pictures)), 5000)  # not an empty picture
        self.assertNotEqual(*pictures)

    def test_policy_stops_foreign_scripts_and_requests(self):
        page = self.open(fixture.make_result())
        self.expect_errors = True
        failures = {}
        page.on("requestfailed", lambda request: failures.update({request.url: request.failure}))
        self.evaluate("""() => {
            const script = document.createElement("script"); script.textContent = "window.hacked = 1"; document.body.append(script);
            const image = document.createElement("img"); image.src = "https://example.org/x.png"; document.body.append(image);
            fetch("https://example.org/").catch(() => {});
        }""")
        page.wait_for_timeout(200)
        self.assertIsNone(self.evaluate("window.hacked ?? null"))
        self.assertTrue(any("Content Security Policy" in text for text in self.problems))
        outside = [url for url in self.requests if not url.startswith("file://")]
        self.assertEqual({failures.get(url) for url in outside} - {"csp"}, set())  # stopped before the network
        self.requests = [url for url in self.requests if url.startswith("file://")]


class Numbers(PageTest):
    def check_table(self, values):
        rows = self.evaluate(
            """[...document.querySelectorAll('#parameter-table tbody tr')].map((row) => [...row.children].map((cell) => [cell.textContent, cell.dataset.value]))"""
        )
        self.assertEqual(len(rows), len(values))
        for row in rows:
            one = values[row[0][0]]
            for column, key, digits in ((2, "prior", 4), (3, "prior_std", 3), (4, "value", 4), (5, "std", 3)):
                text, exact = row[column]
                if one[key] is None:
                    self.assertEqual(text, "∞")
                    continue
                self.assertEqual(float(exact), one[key])
                self.assertAlmostEqual(shown(text), rounded(one[key], digits), delta=1e-9 * abs(one[key]))

    def test_every_parameter_equals_the_json(self):
        result = fixture.make_result()
        page = self.open(result)
        self.scroll_to("parameters")
        self.check_table(result["document"]["physical"])
        page.locator("#parameters select").first.select_option("parameters")
        self.check_table(result["document"]["parameters"])
        determined = dict(zip(self.cells("parameter-table", 0), self.cells("parameter-table", 7)))
        self.assertEqual(
            {name: float(value) for name, value in determined.items()}, result["document"]["identifiability"]["parameters"]
        )

    def test_predictions_residuals_and_cost_equal_the_json(self):
        result = fixture.make_result()
        self.open(result)
        exact = self.evaluate(
            """[...document.querySelectorAll('.prediction tbody tr')].map((row) => [row.children[0].textContent, ...[1, 2, 4].map((i) => Number(row.children[i].dataset.value))])"""
        )
        self.assertEqual(
            exact,
            [
                [joint, row["nominal"], row["identified"], row["range"]]
                for joint, row in result["document"]["prediction"].items()
            ],
        )
        values = self.evaluate(
            "[...document.querySelectorAll('#residuals table')[1].querySelectorAll('tbody tr')].map((row) => [Number(row.children[4].dataset.value), Number(row.children[5].dataset.value)])"
        )
        self.assertEqual(values, [[one["mean"], one["rms"]] for one in result["document"]["residuals"]])
        squares = self.evaluate(
            "[...document.querySelectorAll('#residuals table')[0].querySelectorAll('tbody tr')].map((row) => [row.children[0].textContent, Number(row.children[2].dataset.value), row.children[5].textContent])"
        )
        self.assertEqual(
            squares,
            [
                [one["sensor"], one["mean_square"], "● as configured"]
                for one in result["document"]["innovations"]
                if one["range"][0] <= one["mean_square"] <= one["range"][1]
            ],
        )
        self.assertEqual(len(squares), 2)
        cost = self.evaluate("Number(document.querySelector('#convergence td.number').dataset.value)")
        self.assertEqual(cost, result["document"]["cost"]["total"])

    def test_model_error_shows_findings_shares_and_curves_of_a_joint(self):
        result = fixture.make_result()
        joints = result["document"]["model_error"]
        page = self.open(result)
        self.scroll_to("model-error")
        finding = joints[0]["findings"][0]
        self.assertEqual(self.cells("model-error-table", 0), [joints[0]["joint"]])
        self.assertEqual([float(x) for x in self.cells("model-error-table", 1)], [finding["share"]])
        self.assertEqual(self.cells("model-error-table", 3), [finding["text"]])
        self.assertEqual(self.cells("model-error-table", 4), [finding["next"]])
        self.assertEqual([float(x) for x in self.cells("model-share-table", 1)], [one["rms"] for one in joints])
        drawn = "[...document.querySelectorAll('#model-error .chart-title > span')].map((one) => one.textContent)"
        names = [f"residual over {name}" for name in ("angle", "speed", "time")]
        spectra = ["spectrum", "waves in the angle"]
        expected = [*names, "residual over phase of the ripple", *spectra]
        self.assertEqual(self.evaluate(drawn), [f"joint1: {name}" for name in expected])
        self.wait("!!document.querySelector('#model-error .plot canvas')")
        page.locator("#model-error select").select_option("joint2")
        self.assertEqual(self.evaluate(drawn), [f"joint2: {name}" for name in [*names, *spectra]])

    def test_curves_equal_what_was_written(self):
        rng = np.random.default_rng(4)
        values = np.cumsum(rng.standard_normal(3000))
        values[100:120] = np.nan
        result = fixture.make_result(("j",))
        writer = fixture.SeriesWriter()
        writer.trajectory(
            "a.csv", 3000, 0.01, {"tau.j.measured": (values, "N·m"), "tau.j.nominal": (np.full(3000, 2.5), "N·m")}
        )
        result["document"]["series"], result["series"] = writer.index(), bytes(writer.data)
        self.open(result)
        self.chart()
        drawn = self.evaluate(
            "document.querySelector('#efforts .plot').chart.curves.map((curve) => [...curve.values].map((x) => Number.isNaN(x) ? null : x))"
        )
        resolution = (np.nanmax(values) - np.nanmin(values)) / 65534
        np.testing.assert_allclose(np.array(drawn[0], float), values, atol=resolution)
        self.assertEqual(set(drawn[1]), {2.5})
        self.evaluate("bayesid.set('time', 20)")
        text = self.page.locator("#efforts .legend .value").first.text_content()
        self.assertAlmostEqual(shown(text), values[2000], delta=resolution + 1e-3 * abs(values[2000]))


class Interaction(PageTest):
    def test_zoom_by_click_by_key_and_by_drag_moves_all_charts(self):
        page = self.open(fixture.make_result())
        plot = self.chart()
        self.assertIsNone(self.span())
        page.click("#zoom-in")
        by_click = self.span()
        self.assertAlmostEqual(by_click[1] - by_click[0], 0.5 * 1999 * 0.005, places=6)
        page.click("#zoom-all")
        self.assertIsNone(self.span())
        plot.focus()
        page.keyboard.press("+")
        low, high = self.span()
        self.assertAlmostEqual(high - low, 0.7 * 1999 * 0.005, places=6)
        page.keyboard.press("ArrowRight")
        self.assertAlmostEqual(self.span()[0], low + 0.1 * (high - low), places=6)
        page.keyboard.press("ArrowLeft")
        self.assertAlmostEqual(self.span()[0], low, places=6)
        page.keyboard.press("-")
        page.keyboard.press("0")
        self.assertIsNone(self.span())
        box = plot.locator(".u-over").bounding_box()
        page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30, steps=4)
        page.mouse.up()
        low, high = self.span()
        self.assertAlmostEqual(low, 0.25 * 9.995, delta=0.05)
        self.assertAlmostEqual(high, 0.5 * 9.995, delta=0.05)
        second = self.chart("efforts", 1)
        self.assertIsNotNone(second)
        scales = self.evaluate(
            "[...document.querySelectorAll('.plot')].filter((one) => one.chart?.isVisible).map((one) => [one.chart.u.scales.x.min, one.chart.u.scales.x.max])"
        )
        self.assertGreater(len(scales), 1)
        for scale in scales:
            self.assertEqual(scale, [low, high])
        box = plot.locator(".u-over").bounding_box()
        page.keyboard.down("Shift")
        page.mouse.move(box["x"] + 300, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 20, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        self.assertGreater(self.span()[0], low)
        plot.locator(".u-over").dblclick()
        self.assertIsNone(self.span())

    def test_cursor_follows_the_mouse_the_keys_and_the_slider(self):
        page = self.open(fixture.make_result())
        plot = self.chart()
        box = plot.locator(".u-over").bounding_box()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30)
        self.assertAlmostEqual(self.evaluate("bayesid.get('time')"), 0.5 * 9.995, delta=0.05)
        before = page.locator("#efforts .legend .value").first.text_content()
        plot.focus()
        for _ in range(5):
            page.keyboard.press("Shift+ArrowRight")
        self.assertGreater(self.evaluate("bayesid.get('time')"), 5.1)
        self.assertNotEqual(page.locator("#efforts .legend .value").first.text_content(), before)
        self.assertIn("seconds", page.locator("#live").text_content())
        page.keyboard.press("End")
        self.assertAlmostEqual(self.evaluate("bayesid.get('time')"), 9.995)
        page.locator("#time-slider").fill("2.5")
        self.assertAlmostEqual(self.evaluate("bayesid.get('time')"), 2.5)

    def test_sort_by_click_and_by_key_and_filter(self):
        result = fixture.make_result()
        page = self.open(result)
        self.scroll_to("parameters")
        values = [one["value"] for one in result["document"]["physical"].values()]
        head = page.locator("#parameter-table .sort").nth(4)
        head.click()
        self.assertEqual([float(x) for x in self.cells("parameter-table", 4)], sorted(values))
        self.assertEqual(page.locator("#parameter-table th").nth(4).get_attribute("aria-sort"), "ascending")
        head.focus()
        page.keyboard.press("Enter")
        self.assertEqual([float(x) for x in self.cells("parameter-table", 4)], sorted(values, reverse=True))
        page.locator("#parameters input[type=search]").fill("friction joint2")
        self.assertEqual(
            sorted(self.cells("parameter-table", 0)), ["friction.joint2.coulomb", "friction.joint2.viscous"]
        )

    def test_play_by_click_and_by_key_moves_robot_and_cursor(self):
        page = self.open(fixture.make_result())
        self.scroll_to("scene")
        self.wait("!!document.querySelector('.view-frame').view?.motion")
        picture = "document.querySelector('canvas.view').toDataURL().length + document.querySelector('canvas.view').toDataURL()"
        page.wait_for_timeout(200)
        before = self.evaluate(picture)
        page.click("#play")
        self.wait("bayesid.get('time') > 0.2")
        page.click("#play")
        at = self.evaluate("bayesid.get('time')")
        page.wait_for_timeout(150)
        self.assertEqual(self.evaluate("bayesid.get('time')"), at)
        self.assertNotEqual(self.evaluate(picture), before)
        self.evaluate("document.activeElement.blur()")
        page.keyboard.press("k")
        self.wait(f"bayesid.get('time') > {at} + 0.1")
        page.keyboard.press("k")
        self.assertFalse(self.evaluate("bayesid.get('playing')"))
        page.locator("canvas.view").focus()
        turned = self.evaluate(picture)
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(200)
        self.assertNotEqual(self.evaluate(picture), turned)
        page.keyboard.press(" ")
        self.assertTrue(self.evaluate("bayesid.get('playing')"))

    def test_theme_by_system_click_and_key(self):
        page = self.open(fixture.make_result(), dark=True)
        theme = "document.documentElement.dataset.theme"
        self.chart()
        self.assertEqual(self.evaluate(theme), "dark")
        page.click("#theme")
        self.assertEqual(self.evaluate(theme), "light")
        self.assertEqual(self.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        page.keyboard.press("t")
        self.assertEqual(self.evaluate(theme), "dark")

    def test_help_opens_by_key_and_closes(self):
        page = self.open(fixture.make_result())
        page.keyboard.press("?")
        self.assertTrue(page.locator("#help").is_visible())
        page.keyboard.press("Escape")
        self.assertFalse(page.locator("#help").is_visible())

    def test_everything_has_a_name_for_screen_readers(self):
        page = self.open(fixture.make_quadruped())
        for section in SECTIONS:
            self.scroll_to(section)
            page.wait_for_timeout(40)
        nameless = self.evaluate("""[...document.querySelectorAll('button, input, select, canvas[tabindex], [role=img], [role=group], table')].filter((one) =>
            !(one.getAttribute('aria-label') || one.textContent.trim() || one.closest('label') || one.querySelector('caption'))).map((one) => one.outerHTML.slice(0, 80))""")
        self.assertEqual(nameless, [])

    def test_print_draws_every_chart_and_row(self):
        page = self.open(fixture.make_result(tuple(f"joint{i}" for i in range(9))), dark=True)
        self.evaluate("bayesid.preparePrint()")
        empty = self.evaluate(
            "[...document.querySelectorAll('.plot')].filter((one) => !one.querySelector('canvas')).length"
        )
        self.assertEqual(empty, 0)
        self.assertEqual(page.locator("#parameter-table tbody tr").count(), 9 * 12)
        self.assertEqual(self.evaluate("document.documentElement.dataset.theme"), "light")
        self.assertGreater(len(page.pdf(format="A4")), 50000)


class Unusual(PageTest):
    HOSTILE = [
        "</script><script>window.hacked=1</script>",
        "<img src=x onerror=window.hacked=1>",
        'it\'s "quoted" & <b>bold</b>',
        "関節一",
        "مفصل\u202eabc",
        "a.b.std",
        "__proto__",
        "--><!--",
        "${hacked}",
    ]

    def test_hostile_names_are_text_and_run_no_script(self):
        result = fixture.make_result(self.HOSTILE, [f"{name} link" for name in self.HOSTILE], samples=400)
        document = result["document"]
        document["warnings"] = list(self.HOSTILE)
        document["provenance"]["config"] = "# " + self.HOSTILE[0]
        document["provenance"]["command"] = ["bayesid", *self.HOSTILE]
        document["verdict"] += [{"severity": 'warning" onclick="x', "topic": name, "text": name} for name in self.HOSTILE]
        result["name"] = self.HOSTILE[0]
        page = self.open(result, title=self.HOSTILE[0])
        for section in SECTIONS:
            self.scroll_to(section)
            page.wait_for_timeout(60)
        self.assertIsNone(self.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("main img, main b, body > script:not([type]) ~ script:not([type])").count(), 0)
        self.assertEqual(page.locator("h1").text_content(), self.HOSTILE[0])
        self.evaluate("bayesid.preparePrint()")  # every row
        names = self.cells("parameter-table", 0)
        for name in self.HOSTILE:
            self.assertIn(f"friction.{name}.coulomb", names)

    def test_not_converged_without_series_scene_and_with_null_std(self):
        result = fixture.make_result(with_series=False)
        document = result["document"]
        document.update(status="iteration_limit", iterations=100)
        del document["verdict"]
        first = next(iter(document["physical"]))
        document["physical"][first]["std"] = None
        document["parameters"][next(iter(document["parameters"]))]["std"] = None
        document["covariance"]["matrix"][0] = [None] * len(document["covariance"]["names"])
        document["friction_curves"][0]["std"] = [None] * 101
        document["inertias"][0]["value"] = {"mass": None, "com": None, "inertia": None}
        document["residuals"][0].update(mean=None, rms=None)
        document["innovations"][0].update(mean_square=None, range=[None, None], white=None)
        document["model_error"][0].update(rms=None, white=None, findings=[], spectra=[])
        document["model_error"][0]["curves"]["angle"].update(at=[], mean=[], std=[], counts=[])
        document["prediction"]["joint1"].update(nominal=None)
        result["scene"] = None
        page = self.open(result)
        for section in SECTIONS:
            self.scroll_to(section)
            page.wait_for_timeout(60)
        self.assertIn("iteration_limit", page.locator(".severity.error").first.text_content())
        self.assertEqual(page.locator("#parameter-table tbody tr").first.locator("td").nth(4).text_content(), "∞")
        self.assertIn("no 3D view", page.locator("#scene").text_content())
        self.assertEqual(page.locator("#timebar").count(), 0)
        page.keyboard.press("k")

    def test_old_and_empty_documents_are_drawn_as_far_as_they_go(self):
        whole = fixture.make_result(with_series=False)
        old = {
            key: whole["document"][key]
            for key in (
                "schema",
                "version",
                "status",
                "iterations",
                "cost",
                "parameters",
                "physical",
                "history",
                "prediction",
                "logs",
                "warnings",
                "seed",
            )
        }
        for document in (
            old,
            {},
            {
                "verdict": [],
                "parameters": {},
                "physical": {},
                "history": [],
                "friction_curves": [],
                "inertias": [],
                "residuals": [],
                "log_quality": [],
                "series": {"trajectories": []},
            },
        ):
            for kind in ("identify", "validate", "compare", "excite"):
                page = self.open({"name": "old", "document": document, "scene": None, "series": None}, kind=kind)
                self.assertNotIn("could not be drawn", page.locator("main").text_content())
                self.tearDown()
                self.requests.clear()

    def test_each_key_may_be_missing_alone(self):
        whole = fixture.make_result(samples=300)
        for key in whole["document"]:
            result = copy.deepcopy(whole)
            del result["document"][key]
            page = self.open(result)
            with self.subTest(key):
                self.assertNotIn("could not be drawn", page.locator("main").text_content())
                self.assertEqual(self.problems, [])
            page.close()
            self.requests.clear()

    def test_a_hundred_joints_open_fast(self):
        joints = [f"joint{i:03d}" for i in range(100)]
        result = fixture.make_result(joints, samples=1000)
        page = self.open(result)
        print(f"100 joints: {self.size / 1e6:.1f} MB, opened in {self.opened:.2f} s", flush=True)
        self.assertLess(self.opened, 10)
        self.scroll_to("parameters")
        self.assertLess(page.locator("#parameter-table tbody tr").count(), 400)
        page.locator("#parameters button", has_text="show all rows").click()
        self.assertEqual(page.locator("#parameter-table tbody tr").count(), 1200)
        self.chart()
        self.assertEqual(page.locator("#efforts .plot").count(), 2)  # one joint at a time
        self.evaluate("document.activeElement.blur()")
        page.keyboard.press("]")
        page.keyboard.press("]")
        self.wait("document.querySelector('#efforts .chart-title span').textContent === 'joint001'")

    def test_missing_webgl_gives_a_sentence(self):
        result = fixture.make_result()
        context = browser.new_context(offline=True)
        self.addCleanup(context.close)
        page = context.new_page()
        page.add_init_script(
            "HTMLCanvasElement.prototype.getContext = ((own) => function (kind, ...rest) { return kind.startsWith('webgl') ? null : own.call(this, kind, ...rest); })(HTMLCanvasElement.prototype.getContext)"
        )
        path = pathlib.Path(self.folder.name) / "report.html"
        path.write_text(fixture.make_html(template, [result]), encoding="utf-8")
        page.goto(path.as_uri())
        page.wait_for_timeout(400)
        self.assertIn("no WebGL", page.locator("#scene").text_content())


class Kinds(PageTest):
    def test_two_results_side_by_side(self):
        first, second = fixture.make_result(), fixture.make_result(seed=5)
        first["name"], second["name"] = "before", "after"
        page = self.open(first, second, kind="compare", title="two")
        values = [float(x) for x in self.cells("comparison-table", 2)]
        self.assertEqual(values, [one["value"] for one in second["document"]["physical"].values()])
        page.locator("header select").select_option("1")
        self.scroll_to("parameters")
        self.assertEqual(
            float(self.cells("parameter-table", 4)[0]), next(iter(second["document"]["physical"].values()))["value"]
        )
        self.chart()

    def test_methods_and_groups(self):
        comparison = {
            "joints": ["a", "b"],
            "methods": {
                name: {
                    "effort": {"rmse": [0.1, 0.2], "range": [1, 4]},
                    "held_out": {"rmse": [0.2, 0.3], "range": [1, 4]},
                    "iterations": 5,
                    "impossible_bodies": 1,
                    "error": {"mass": 0.1},
                }
                for name in ("id", "map")
            },
            "groups": [
                {
                    "group": "stiction",
                    "difference": 12.5,
                    "verdict": "clearly supported",
                    "with": {"parameters": 9, "status": "converged"},
                    "without": {"parameters": 7, "status": "converged"},
                }
            ],
        }
        page = self.open(kind="compare", title="methods", comparison=comparison)
        self.assertIn("clearly supported", page.locator("#comparison").text_content())
        self.assertIn("12.5", page.locator("#comparison").text_content())

    def test_validation_and_excitation(self):
        validation = {
            "schema": 1,
            "version": "0.1.0",
            "joints": ["a", "b"],
            "nominal": {"rmse": [1.0, 2.0]},
            "identified": {"rmse": [0.5, 0.25]},
            "range": [10, 20],
            "samples": 100,
            "warnings": [],
        }
        page = self.open({"name": "v", "document": validation, "scene": None, "series": None}, kind="validate")
        self.assertIn("held-out", page.locator(".prediction caption").text_content())
        excitation = {
            "schema": 1,
            "found": True,
            "duration": 4.0,
            "rate": 250.0,
            "information": {"log_det_gain": 404.8},
            "attempts": [{"status": "converged", "iterations": 57, "criterion": -401.6, "margin": 0.1}],
            "best": 0,
            "margins": [
                {
                    "limit": "position",
                    "of": "a",
                    "unit": "rad",
                    "value": 1.5,
                    "time": 0.5,
                    "lower": -2,
                    "upper": 2,
                    "margin": 0.5,
                    "margin_to_allowed": 0.3,
                }
            ],
            "physical": {"mass.a": {"value": 2.5, "prior_std": 1.0, "std": 0.1, "determined": 0.99}},
        }
        self.requests.clear()
        self.open({"name": "e", "document": excitation, "scene": None, "series": None}, kind="excite")
        self.assertEqual(self.cells("margin-table", 3), ["1.5"])
        self.assertEqual(self.cells("parameter-table", 4), ["0.1"])


class Speed(PageTest):
    def test_pan_over_a_million_samples(self):
        n = 10**6
        rng = np.random.default_rng(2)
        t = 1e-3 * np.arange(n)
        truth = np.sin(t) + 0.3 * np.sin(7 * t)
        result = fixture.make_result(("j",))
        writer = fixture.SeriesWriter()
        writer.trajectory(
            "long.csv",
            n,
            1e-3,
            {
                "tau.j.measured": (truth + 0.1 * rng.standard_normal(n), "N·m"),
                "tau.j.nominal": (0.7 * truth, "N·m"),
                "tau.j.identified": (truth, "N·m"),
                "tau.j.std": (0.1 + 0 * t, "N·m"),
            },
        )
        result["document"]["series"], result["series"] = writer.index(), bytes(writer.data)
        self.open(result)
        self.chart()
        self.chart("efforts", 1)
        times = self.evaluate("""async () => {
            const redraw = [], frame = [];
            const next = () => new Promise((done) => requestAnimationFrame(done));
            for (const width of [1000, 300, 30, 3, 0.3]) {
                for (let i = 0; i < 30; ++i) {
                    await next();
                    const low = (1000 - width) * i / 30, start = performance.now();
                    bayesid.set("span", [low, low + width + 1e-4 * i]);
                    redraw.push(performance.now() - start);
                    await next();
                    frame.push(performance.now() - start);
                }
            }
            return {redraw, frame};
        }""")
        # The frame includes waiting for the screen, 17 ms at least. Other work on the machine may slow a few: their median counts.
        for name, milliseconds in times.items():
            last = sorted(milliseconds)[int(0.95 * len(milliseconds))]
            print(
                f"10⁶ samples, two charts, {name}: median {statistics.median(milliseconds):.1f} ms, 95 % below {last:.1f} ms",
                flush=True,
            )
            self.assertLess(statistics.median(milliseconds), MOST_FRAME_MS)
            if name == "redraw":
                self.assertLess(last, MOST_FRAME_MS)

    def test_a_hundred_seconds_of_a_seven_joint_arm_fit_into_15_mb(self):
        self.open(fixture.make_result(tuple(f"joint{i + 1}" for i in range(7)), samples=100_000, step=1e-3))
        print(f"7 joints, 100 s at 1 kHz: {self.size / 1e6:.2f} MB, opened in {self.opened:.2f} s", flush=True)
        self.assertLess(self.size, 15e6)
        self.chart()


if __name__ == "__main__":
    unittest.main()
