using System.Reflection;
using System.Text.RegularExpressions;
using Orleans.Configuration;
using Polyjuice.Contracts;
using Polyjuice.LiveView;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage;
using Polyjuice.Tracing;

namespace Polyjuice.Docs.Tests;

/// <summary>Options that applications set are in the guide, and the guide's are in the code.</summary>
public partial class OptionTests
{
    private static readonly Type[] s_types =
    [
        typeof(PolyjuiceOptions), typeof(PolyjuiceClientOptions), typeof(PolyjuiceHealthOptions), typeof(OutboxOptions),
        typeof(MemoryLogOptions), typeof(EngineOptions), typeof(FileLogOptions), typeof(AzureBlobLogOptions),
        typeof(PostgreSqlLogOptions), typeof(RedisLogOptions), typeof(TraceRecorderOptions),
        typeof(PublishedPoliciesOptions), typeof(LiveViewOptions), typeof(LiveViewServerOptions),
        typeof(SiloTrainerOptions), typeof(TransactionGroupAttribute),
    ];

    public static TheoryData<string> Types => [.. s_types.Select(static type => type.Name)];

    [Theory]
    [MemberData(nameof(Types))]
    public void Every_option_is_documented(string type)
    {
        var guide = string.Join('\n', Page.Guide.Select(static page => page.Text));
        var missing = PropertiesOf(s_types.Single(one => one.Name == type))
            .Where(name => !Regex.IsMatch(guide, $@"`[^`]*\b{name}\b[^`]*`"));

        Assert.True(!missing.Any(), string.Join(Environment.NewLine, missing));
    }

    [Fact]
    public void Every_option_in_the_reference_exists()
    {
        var known = s_types.SelectMany(PropertiesOf).ToHashSet();
        var page = Page.Guide.Single(static page => page.Path == "docs/reference/options.md");
        var named = page.Prose
            .Select(static line => OptionRow().Match(line.Text))
            .Where(static match => match.Success)
            .SelectMany(static match => Name().Matches(match.Groups[1].Value).Select(name => name.Groups[1].Value))
            .ToList();

        Assert.NotEmpty(named);
        Assert.Empty(named.Except(known));
    }

    private static IEnumerable<string> PropertiesOf(Type type) =>
        type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
            .Where(
                static property => property.DeclaringType != typeof(Attribute)
                    && (property.CanWrite || !property.PropertyType.IsValueType))
            .Select(static property => property.Name);

    [GeneratedRegex(@"^\| ((?:`[A-Z]\w+`(?:, )?)+) \|")]
    private static partial Regex OptionRow();

    [GeneratedRegex(@"`(\w+)`")]
    private static partial Regex Name();
}
