using Xunit.Abstractions;
using Xunit.Sdk;

namespace Polyjuice.Tests.Shared;

/// <summary>
/// A fact that is skipped where its class's <see cref="RequirementAttribute"/> is not met; the class may inherit it.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
[XunitTestCaseDiscoverer("Polyjuice.Tests.Shared.ConditionalFactDiscoverer", "Polyjuice.Tests.Shared")]
public sealed class ConditionalFactAttribute : FactAttribute;

/// <summary>Finds the facts.</summary>
/// <param name="messages">Where the framework wants to hear of it.</param>
public sealed class ConditionalFactDiscoverer(IMessageSink messages) : FactDiscoverer(messages)
{
    protected override IXunitTestCase CreateTestCase(
        ITestFrameworkDiscoveryOptions discoveryOptions, ITestMethod testMethod, IAttributeInfo factAttribute) =>
        new ConditionalTestCase(
            DiagnosticMessageSink,
            discoveryOptions.MethodDisplayOrDefault(),
            discoveryOptions.MethodDisplayOptionsOrDefault(),
            testMethod);
}

/// <summary>One of them, in the class that runs it.</summary>
public sealed class ConditionalTestCase : XunitTestCase
{
    [Obsolete("For deserialisation.", error: true)]
    public ConditionalTestCase()
    {
    }

    public ConditionalTestCase(
        IMessageSink messages, TestMethodDisplay display, TestMethodDisplayOptions options, ITestMethod method)
        : base(messages, display, options, method)
    {
    }

    protected override string? GetSkipReason(IAttributeInfo factAttribute)
    {
        if (base.GetSkipReason(factAttribute) is { } reason) return reason;
        var type = TestMethod.TestClass.Class.ToRuntimeType();
        return type.GetCustomAttributes(typeof(RequirementAttribute), inherit: true).Cast<RequirementAttribute>()
            .Select(requirement => requirement.Missing).FirstOrDefault(missing => missing is not null);
    }
}
