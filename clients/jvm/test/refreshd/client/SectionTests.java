package refreshd.client;

import static refreshd.client.Tests.equal;

import java.util.ArrayList;
import java.util.List;

/** The sections of a list, which follow from the items that are shown. */
final class SectionTests {
    private final Tests tests;

    SectionTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        tests.test("A section is a run of equal values, and a placeholder ends it.", () -> {
            equal("mon 0 2, tue 2 1, mon 3 1", text("'mon'", "'mon'", "'tue'", "'mon'"));
            equal("mon 1 1, mon 3 2", text(null, "'mon'", null, "'mon'", "'mon'"));
            equal("", text());
        });
        tests.test("Values of other kinds count as null, and the number 1 is 1.0, not true.", () ->
                equal("1 0 2, true 2 1, null 3 3",
                        text("1", "1.0", "true", "[]", "null", "{'x':1}")));
        tests.test("The sections follow pages, operations and edits.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push(("{'type':'attached','view':'list','ack':0,'generation':1,"
                    + "'itemKey':'/id','sectionKey':'/id','edits':['remove'],"
                    + "'top':{'role':'refresh','state':'idle'}}"));
            equal(0, fixture.list.sections().size());
            fixture.daemon.line().push(EditTests.replaced("1,2"));
            equal("1 0 1, 2 1 1", text(fixture.list.sections()));
            fixture.daemon.line().push(
                    EditTests.operated(3, "[{'insert':{'id':3},'at':'start'}]"));
            equal("3 0 1, 1 1 1, 2 2 1", text(fixture.list.sections()));
            fixture.list.edit(EditTests.operation("{'remove':1}"), 0);
            equal("3 0 1, 2 1 1", text(fixture.list.sections()));
        });
        tests.test("A feed without sections has none.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push(EditTests.replaced("1,2"));
            equal(0, fixture.list.sections().size());
        });
    }

    /** The sections of items with these values; null for a placeholder. */
    private static String text(String... values) {
        List<Object> items = new ArrayList<>();
        for (String value : values) {
            items.add(value == null ? null
                    : EditTests.operation("{'day':{'name':" + value + "}}"));
        }
        return text(ItemSection.of(items, "/day/name"));
    }

    private static String text(List<ItemSection> sections) {
        List<String> texts = new ArrayList<>();
        for (ItemSection section : sections) {
            texts.add(section.value() + " " + section.start() + " " + section.count());
        }
        return String.join(", ", texts);
    }
}
