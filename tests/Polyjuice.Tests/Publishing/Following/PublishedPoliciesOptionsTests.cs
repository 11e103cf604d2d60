using System.ComponentModel.DataAnnotations;
using Polyjuice.Publishing;
using Polyjuice.Publishing.Following;

namespace Polyjuice.Tests.Publishing.Following;

public sealed class PublishedPoliciesOptionsTests
{
    [Fact]
    public void The_defaults_are_valid()
    {
        new PublishedPoliciesOptions().Validate();
        new PublishedPoliciesOptions { Trial = TimeSpan.Zero }.Validate();
    }

    [Fact]
    public void What_could_not_work_is_refused_by_the_options_name()
    {
        Refused(
            nameof(PublishedPoliciesOptions.PollInterval),
            options => options.PollInterval = TimeSpan.FromMilliseconds(1));
        Refused(nameof(PublishedPoliciesOptions.Trial), options => options.Trial = TimeSpan.FromSeconds(6));
        Refused(nameof(PublishedPoliciesOptions.Baseline), options => options.Baseline = TimeSpan.FromSeconds(4));
        Refused(nameof(PublishedPoliciesOptions.CommitDropMax), options => options.CommitDropMax = 1);
        Refused(nameof(PublishedPoliciesOptions.TimeRiseMax), options => options.TimeRiseMax = 1);
        Refused(nameof(PublishedPoliciesOptions.PublisherKeys), options => options.PublisherKeys.Add("none"));
        Refused(nameof(PublishedPoliciesOptions.SigningKey), options => options.SigningKey = "none");
        Refused(
            nameof(PublishedPoliciesOptions.PublisherKeys),
            options => options.RollbackKeys.Add(PolicySigningKey.Generate().Verification.ToPem()));
        Refused(nameof(PublishedPoliciesOptions.SigningKey), options =>
        {
            options.PublisherKeys.Add(PolicySigningKey.Generate().Verification.ToPem());
            options.SigningKey = PolicySigningKey.Generate().ToPem();
        });
    }

    private static void Refused(string name, Action<PublishedPoliciesOptions> set)
    {
        var options = new PublishedPoliciesOptions();
        set(options);
        Assert.Contains(name, Assert.Throws<ValidationException>(options.Validate).Message, StringComparison.Ordinal);
    }
}
