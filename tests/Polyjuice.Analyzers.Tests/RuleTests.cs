using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Polyjuice.Tests.Shared;

namespace Polyjuice.Analyzers.Tests;

public class RuleTests
{
    private static readonly DiagnosticDescriptor[] s_rules =
    [
        .. typeof(PolyjuiceAnalyzer).Assembly.GetTypes()
            .Where(type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)) && !type.IsAbstract)
            .Select(type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!)
            .SelectMany(analyzer => analyzer.SupportedDiagnostics)
            .OrderBy(rule => rule.Id, StringComparer.Ordinal),
    ];

    [Fact]
    public void Each_rule_is_reported_by_one_analyzer_and_says_what_and_why()
    {
        Assert.Equal(Enumerable.Range(1, 12).Select(number => $"PJ{number:0000}"), s_rules.Select(rule => rule.Id));
        Assert.All(s_rules, rule =>
        {
            Assert.Equal("Polyjuice.Usage", rule.Category);
            Assert.NotEmpty(rule.Description.ToString());
            Assert.True(rule.IsEnabledByDefault);
        });
    }

    [Fact]
    public void The_docs_have_a_section_on_each_with_its_title_and_severity()
    {
        var text = Repository.Read("docs/reference/analyzers.md");
        var sections = Regex.Matches(text, @"^## (PJ\d+): (.*)$", RegexOptions.Multiline);
        Assert.Equal(
            s_rules.Select(rule => (rule.Id, rule.Title.ToString())),
            sections.Select(section => (section.Groups[1].Value, section.Groups[2].Value)));
        Assert.All(s_rules, rule =>
            Assert.Matches($@"\| {rule.Id} \| [^|]* \| {NameOf(rule.DefaultSeverity)}[ ;]", text));
    }

    private static string NameOf(DiagnosticSeverity severity) =>
        severity == DiagnosticSeverity.Info ? "suggestion" : severity.ToString().ToLowerInvariant();
}
