#include <tact/contact/contact_regions.hpp>

#include <algorithm>

namespace tact {
namespace {

// One element for each node or, for the nodes of one component, one for all of them.
ContactElements elements_of(const ContactProblem& problem, const std::vector<int>& element_of_node,
                            int count)
{
  ContactElements elements;
  elements.clear(count);
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b)
      elements.list.push_back(element_of_node[problem.blocks[b].node]);
    elements.close_list();
  }
  return elements;
}

}  // namespace

void ContactElements::clear(int element_count)
{
  first.assign(1, 0);
  list.clear();
  count = element_count;
}

ContactElements elements_by_nodes(const ContactProblem& problem)
{
  std::vector<int> element(problem.nodes());
  for (int node = 0; node < problem.nodes(); ++node) element[node] = node;
  for (const int node : problem.rigid) element[node + 1] = node;
  return elements_of(problem, element, problem.nodes());
}

ContactElements elements_by_components(const ContactProblem& problem)
{
  std::vector<int> element;
  for (int k = 0; k < problem.components(); ++k)
    element.insert(element.end(), problem.A[k].rows(), k);
  return elements_of(problem, element, problem.components());
}

void ContactRegions::update(const ContactElements& elements)
{
  if (elements.count != known_.count) {
    forget();
    sets_.reset(elements.count);
    region_of_element_.assign(elements.count, -1);
  }
  find_changes(elements);
  for (std::size_t r = 0; r < regions_.size(); ++r)
    if (broken_[r]) take_apart(static_cast<int>(r));
  join(elements);
  known_ = elements;
  number_regions(elements);
}

void ContactRegions::forget()
{
  known_.clear(0);
  regions_.clear();
  contacts_.clear();
}

// Walks through the contacts of each old region in step with those that are there now. A contact
// that is not the next one of its region has to be joined; a region that was not met to its end has
// lost one, and falls into parts that are not known.
void ContactRegions::find_changes(const ContactElements& now)
{
  matched_.resize(regions_.size());
  for (std::size_t r = 0; r < regions_.size(); ++r) matched_[r] = regions_[r].first;
  to_join_.assign(now.contacts(), 1);
  for (int c = 0; c < now.contacts(); ++c) {
    const std::span<const int> own = now.of(c);
    const int r = region_of_element_[own.front()];
    if (r < 0 || matched_[r] == regions_[r].last) continue;
    const std::span<const int> next = known_.of(contacts_[matched_[r]]);
    if (!std::equal(own.begin(), own.end(), next.begin(), next.end())) continue;
    ++matched_[r];
    to_join_[c] = 0;
  }
  broken_.resize(regions_.size());
  for (std::size_t r = 0; r < regions_.size(); ++r) broken_[r] = matched_[r] < regions_[r].last;
}

void ContactRegions::take_apart(int region)
{
  for (int k = regions_[region].first; k < regions_[region].last; ++k)
    for (const int element : known_.of(contacts_[k])) sets_.set_apart(element);
}

// region_of_element_ still speaks of the old regions.
void ContactRegions::join(const ContactElements& now)
{
  joined_ = 0;
  for (int c = 0; c < now.contacts(); ++c) {
    const std::span<const int> own = now.of(c);
    if (!to_join_[c] && !broken_[region_of_element_[own.front()]]) continue;
    for (const int element : own.subspan(1)) sets_.merge(own.front(), element);
    ++joined_;
  }
  for (int c = 0; c < known_.contacts(); ++c)
    for (const int element : known_.of(c)) region_of_element_[element] = -1;
}

// Labels in the order of first contacts, then ranks by size: neither depends on the history.
void ContactRegions::number_regions(const ContactElements& now)
{
  label_of_root_.assign(now.count, -1);
  regions_.clear();
  for (int c = 0; c < now.contacts(); ++c) {
    int& label = label_of_root_[sets_.root(now.of(c).front())];
    if (label < 0) {
      label = static_cast<int>(regions_.size());
      regions_.push_back({.first = label, .last = 0});
    }
    ++regions_[label].last;  // the number of contacts, at first
  }
  std::sort(regions_.begin(), regions_.end(), [](const ContactRegion& a, const ContactRegion& b) {
    return a.last != b.last ? a.last > b.last : a.first < b.first;
  });
  rank_.resize(regions_.size());
  int at = 0;
  for (std::size_t k = 0; k < regions_.size(); ++k) {
    rank_[regions_[k].first] = static_cast<int>(k);
    regions_[k].first = at;
    at += regions_[k].last;
    regions_[k].last = regions_[k].first;  // grows as contacts are put in
  }
  contacts_.resize(now.contacts());
  for (int c = 0; c < now.contacts(); ++c) {
    const std::span<const int> own = now.of(c);
    const int r = rank_[label_of_root_[sets_.root(own.front())]];
    contacts_[regions_[r].last++] = c;
    for (const int element : own) region_of_element_[element] = r;
  }
}

std::vector<int> region_map(const ContactProblem& problem)
{
  ContactRegions regions;
  regions.update(elements_by_components(problem));
  std::vector<int> map(problem.size());
  int number = 0;
  for (const ContactRegion& region : regions.regions()) {
    for (int k = region.first; k < region.last; ++k) map[regions.contacts()[k]] = number;
    ++number;
  }
  return map;
}

}  // namespace tact
