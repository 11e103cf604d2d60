namespace Polyjuice.Tests.Shared;

/// <summary>
/// Says what a class of tests needs of the machine. Those of its tests that are <see cref="ConditionalFactAttribute"/>s
/// are skipped, by name and with the reason, where it is missing.
/// </summary>
[AttributeUsage(AttributeTargets.Class, Inherited = true)]
public abstract class RequirementAttribute : Attribute
{
    /// <summary>
    /// What is missing here, and what to do about it; <see langword="null"/>
    /// if nothing is, or if the tests are to fail rather than be skipped.
    /// </summary>
    public abstract string? Missing { get; }
}
