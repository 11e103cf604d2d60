using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.DependencyInjection;
using Polyjuice.Orleans.Outboxes;
using SiloHosting.Settings;

namespace BankSilo.Tests.Telemetry;

/// <summary>What the dashboard and the alerts ask for is what a silo under load tells.</summary>
[Collection(AloneCollection.Name)]
public sealed partial class MonitoringTests
{
    // What Prometheus and its operator add.
    private static readonly string[] s_added = ["pod", "le"];

    [Fact]
    public async Task A_silo_under_load_tells_all_that_the_dashboard_and_the_alerts_ask_for()
    {
        // Few at a time, and none waits for its turn: so some are refused. Those that are not meet at two accounts.
        await using var silo = await RunningSilo.StartAsync(
            "--Polyjuice:Policy=locking", "--Polyjuice:OpenTransactions=4", "--Polyjuice:StartWait=00:00:00");

        // What a sender of an outbox would tell; the bank has none.
        silo.Host.Services.GetRequiredService<OutboxMetrics>().Knows("mail");
        string[] owners = ["ada", "bruno"];
        foreach (var owner in owners)
            (await silo.PostAsync($"/accounts/{owner}/deposits", new { amount = 1_000 })).EnsureSuccessStatusCode();
        using var poor = await silo.PostAsync("/transfers", new { from = "poor", to = "ada", amount = 1 });
        Assert.Equal(HttpStatusCode.Conflict, poor.StatusCode);

        var (asked, told) = (Asked(), Told(""));
        for (var round = 0; round < 50 && Missing(asked, told).Length > 0; round++)
        {
            var answers = await Task.WhenAll(Enumerable.Range(0, 32).Select(number => silo.PostAsync(
                "/transfers", new { from = owners[number % 2], to = owners[1 - (number % 2)], amount = 1 })));
            foreach (var answer in answers) answer.Dispose();
            told = Told((await silo.AskAsync(SiloEndpoints.Metrics)).Text);
        }

        Assert.Empty(Missing(asked, told));
    }

    [Fact]
    public void The_dashboard_has_a_text_for_each_panel_and_no_two_of_one_number()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(FileOf("dashboard.json")));
        var panels = dashboard.RootElement.GetProperty("panels").EnumerateArray().ToArray();
        Assert.Equal(panels.Length, panels.Select(panel => panel.GetProperty("id").GetInt32()).Distinct().Count());
        Assert.All(panels, panel => Assert.NotEqual("", panel.GetProperty("description").GetString()));
    }

    // Each metric, with the labels that are asked for beside it.
    private static SortedDictionary<string, HashSet<string>> Asked()
    {
        var asked = new SortedDictionary<string, HashSet<string>>(StringComparer.Ordinal);
        foreach (var expression in Expressions())
        {
            var labels = Grouping().Matches(expression).SelectMany(match => match.Groups[1].Value.Split(','))
                .Concat(Matcher().Matches(expression).Select(match => match.Groups[1].Value))
                .Select(label => label.Trim()).Except(s_added).ToArray();
            foreach (var metric in Metric().Matches(expression).Select(match => match.Value))
            {
                if (!asked.TryGetValue(metric, out var all)) asked.Add(metric, all = []);
                all.UnionWith(labels);
            }
        }

        Assert.True(asked.Count > 15, string.Join(' ', asked.Keys));
        return asked;
    }

    private static IEnumerable<string> Expressions()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(FileOf("dashboard.json")));
        var root = dashboard.RootElement;
        foreach (var panel in root.GetProperty("panels").EnumerateArray())
        {
            foreach (var target in panel.GetProperty("targets").EnumerateArray())
                yield return target.GetProperty("expr").GetString()!;
        }

        foreach (var annotation in root.GetProperty("annotations").GetProperty("list").EnumerateArray())
            yield return annotation.GetProperty("expr").GetString()!;

        // Lines, because each expression is on one.
        foreach (var line in File.ReadLines(FileOf("prometheusrule.yaml")))
        {
            if (line.Contains("polyjuice_", StringComparison.Ordinal)) yield return line;
        }
    }

    private static Dictionary<string, HashSet<string>> Told(string text)
    {
        var told = new Dictionary<string, HashSet<string>>(StringComparer.Ordinal);
        foreach (Match match in text.Split('\n').Select(line => Sample().Match(line)).Where(match => match.Success))
        {
            if (!told.TryGetValue(match.Groups[1].Value, out var labels)) told.Add(match.Groups[1].Value, labels = []);
            labels.UnionWith(Label().Matches(match.Groups[2].Value).Select(label => label.Groups[1].Value));
        }

        return told;
    }

    private static string[] Missing(
        SortedDictionary<string, HashSet<string>> asked, Dictionary<string, HashSet<string>> told) =>
    [
        .. asked.SelectMany(metric => told.TryGetValue(metric.Key, out var labels)
            ? metric.Value.Except(labels).Select(label => $"{metric.Key}{{{label}}}")
            : [metric.Key]),
    ];

    private static string FileOf(string name) => Repository.PathOf($"deploy/components/monitoring/{name}");

    [GeneratedRegex(@"\bby \(([^)]*)\)")]
    private static partial Regex Grouping();

    [GeneratedRegex(@"[{,]\s*(\w+)=~?""")]
    private static partial Regex Matcher();

    [GeneratedRegex(@"\bpolyjuice_\w+")]
    private static partial Regex Metric();

    [GeneratedRegex(@"^(polyjuice_\w+)(?:\{(.*)\})? ")]
    private static partial Regex Sample();

    [GeneratedRegex(@"(\w+)=""")]
    private static partial Regex Label();
}
